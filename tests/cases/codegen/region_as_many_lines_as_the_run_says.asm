dcci out[0]@0 ; by hand
dcci out[16]@0 ; by hand
