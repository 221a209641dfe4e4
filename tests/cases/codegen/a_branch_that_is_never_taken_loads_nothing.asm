mte2 t__tmp_v0 <- x[0]@0, 1 x 16
mte3 out[0]@0 <- t__tmp_v0, 1 x 16
