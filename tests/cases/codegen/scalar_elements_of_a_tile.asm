mte2 t <- x[0]@0, 2 x 8
tile.st 77, t[10]
tile.ld r13(v), t[3]
st out[0]@0, 2
