mte2 assembled <- x[8]@0, 2 x 8
mte3 out[0]@0 <- assembled, 2 x 8
