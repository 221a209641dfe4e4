poll sig[3]@0 >= 0
