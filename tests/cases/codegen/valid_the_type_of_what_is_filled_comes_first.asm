mte2 t <- x[0]@0, 1 x 16
v.fillpad u, t, 1 x 4, 0
