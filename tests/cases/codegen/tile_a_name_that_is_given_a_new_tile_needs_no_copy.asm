mte2 t <- x[0]@0, 1 x 16
mte3 out[0]@0 <- t, 1 x 16
mte2 t <- x[16]@0, 1 x 16
mte3 out[16]@0 <- t, 1 x 16
