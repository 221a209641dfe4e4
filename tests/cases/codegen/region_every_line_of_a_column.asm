dcci win[0]@0 ; by hand
dcci win[16]@0 ; by hand
dcci win[32]@0 ; by hand
