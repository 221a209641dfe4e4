st out[0]@0, 1
dsb ; tail
