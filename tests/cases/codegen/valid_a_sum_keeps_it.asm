mte2 t <- x[0]@0, 1 x 5
v.add u, t, t
mte3 out[0]@0 <- u, 1 x 5
