dcci win[35]@0 ; by hand
