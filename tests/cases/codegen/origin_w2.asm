mte2 t <- x[0]@0, 1 x 16
ld win_ctx[2]@0
ld win_ctx[4]@0
ld win_ctx[5]@0
mte3 win[0]@1 <- t, 1 x 16
dcci win[0]@1 ; codegen
barrier all ; W2
dsb ; W2
