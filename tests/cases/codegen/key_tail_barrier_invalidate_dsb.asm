st out[0]@0, 1
barrier all ; tail
dcci all ; tail
dsb ; tail
