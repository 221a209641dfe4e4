dcci win[20]@0 ; by hand
