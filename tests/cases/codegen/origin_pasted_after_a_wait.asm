poll sig[0]@0 >= 0
dcci all ; R1
