mte2 t <- f[0]@0, 4 x 4
mte2 u <- f[16]@0, 1 x 4
v.insert t, t, u, from 3, 0
