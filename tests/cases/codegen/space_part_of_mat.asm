mte2 t <- f[0]@0, 4 x 4
mte1.part u, t, from 2, 0
