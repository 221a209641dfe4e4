ld win_ctx[2]@0
ld win_ctx[4]@0
ld win_ctx[5]@0
mte2 t <- win[16]@1, 2 x 16
