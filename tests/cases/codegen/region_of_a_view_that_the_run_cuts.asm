dcci out[16]@0 ; by hand
dcci out[32]@0 ; by hand
