mte2 t <- x[0]@0, 1 x 3
mte3 out[0]@0 <- t, 1 x 3
