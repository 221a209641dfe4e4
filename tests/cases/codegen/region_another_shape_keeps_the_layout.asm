dcci win[35]@0 ; by hand
dcci win[19]@0 ; by hand
