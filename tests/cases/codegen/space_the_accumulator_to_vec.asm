mte2 t <- f[0]@0, 4 x 4
mte1.copy l, t
mte1.copy r, t
m.tile.matmul c, l, r
fix.copy u, c
