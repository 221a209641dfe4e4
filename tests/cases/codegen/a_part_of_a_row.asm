mte2 assembled <- x[40]@0, 1 x 8
mte3 out[16]@0 <- assembled, 1 x 8
