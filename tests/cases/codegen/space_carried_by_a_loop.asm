mte2 t <- f[0]@0, 4 x 4
mte1.copy l, t
mte1.copy r, t
m.tile.matmul_acc c, c, l, r, 0
m.tile.matmul_acc c, c, l, r, 0
fix fout[0]@0 <- c, 4 x 4
