mte2 t <- x[38]@0, 1 x 4
