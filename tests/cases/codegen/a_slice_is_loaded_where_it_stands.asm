mte2 y <- x[40]@0, 2 x 8
st win[0]@0, 1
mte3 out[0]@0 <- y, 2 x 8
