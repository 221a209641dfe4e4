mte2 staged <- x[0]@0, 4 x 16
ld win_ctx[2]@0
ld win_ctx[4]@0
ld win_ctx[5]@0
mte3 win[0]@1 <- staged, 4 x 16
dcci win[0]@1 ; codegen
