mte2 t <- x[0]@0, 1 x 16
mte2 u <- x[0]@0, 1 x 16
barrier all ; tail
