mte2 t <- x[0]@0, 2 x 16
mte3 out[0]@0 <- u, 2 x 3
