mte2 t <- x[0]@0, 1 x 5
v.fillpad t, t, 1 x 5, 2147483647
mte3 out[0]@0 <- t, 2 x 16
