mte2 t <- x[48]@0, 1 x 16
st out[0]@0, 32
