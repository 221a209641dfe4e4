mte2 t <- f[0]@0, 4 x 4
mte1.copy l, t
mte1.copy r, t
m.tile.matmul c, l, r
s.rename u, c
fix fout[0]@0 <- u, 2 x 8
