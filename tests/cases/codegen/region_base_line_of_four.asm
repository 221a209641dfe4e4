dcci win[0]@0 ; by hand
