poll sig[0]@0 == 0
