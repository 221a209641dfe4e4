mte2 t <- x[0]@0, 1 x 5
v.copy u, t
mte3 out[0]@0 <- u, 2 x 16
