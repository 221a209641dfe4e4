mte2 t <- x[24]@0, 2 x 8
mte3 out[32]@0 <- t, 2 x 8
