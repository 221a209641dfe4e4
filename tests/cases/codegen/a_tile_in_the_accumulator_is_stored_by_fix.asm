mte2 t <- f[0]@0, 4 x 4
m.tile.matmul m, t, t
fix fout[0]@0 <- m, 4 x 4
