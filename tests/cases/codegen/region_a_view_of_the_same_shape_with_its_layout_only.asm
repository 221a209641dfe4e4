dcci win[16]@0 ; by hand
