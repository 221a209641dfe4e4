mte2 t <- x[0]@0, 1 x 5
ld win_ctx[2]@0
ld win_ctx[4]@0
ld win_ctx[5]@0
mte3 win[16]@1 <- t, 1 x 5
dcci win[16]@1 ; codegen
