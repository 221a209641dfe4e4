mte2 t <- f[0]@0, 4 x 4
mte1.copy l, t
mte1.copy r, t
m.tile.matmul c, l, r
ld fwin_ctx[2]@0
ld fwin_ctx[4]@0
ld fwin_ctx[5]@0
fix fwin[0]@1 <- c, 4 x 4
dcci fwin[0]@1 ; codegen
