st win[0]@0, 1
dcci win[0]@0 ; W1
barrier all ; W1
dsb ; W1
