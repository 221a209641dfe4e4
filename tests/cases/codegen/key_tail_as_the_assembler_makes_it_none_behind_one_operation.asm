mte2 t <- x[0]@0, 1 x 16
