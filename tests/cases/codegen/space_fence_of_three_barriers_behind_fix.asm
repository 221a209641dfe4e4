mte2 t <- f[0]@0, 4 x 4
mte1.copy l, t
mte1.copy r, t
m.tile.matmul c, l, r
fix fwin[0]@0 <- c, 4 x 4
dcci fwin[0]@0 ; W1
barrier mte2 ; W1
barrier mte3 ; W1
barrier fix ; W1
dsb ; W1
ld sig_ctx[2]@0
ld sig_ctx[4]@0
ld sig_ctx[5]@0
barrier all ; codegen
dcci sig[0]@1 ; macro
st sig[0]@1, 1
dcci sig[0]@1 ; macro
dsb ; macro
barrier all ; macro
