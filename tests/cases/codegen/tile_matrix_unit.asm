mte2 t <- f[0]@0, 4 x 4
m.tile.matmul m, t, t
