dcci win[32]@0 ; by hand
dcci win[48]@0 ; by hand
