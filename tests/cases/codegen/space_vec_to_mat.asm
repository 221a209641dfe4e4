mte2 t <- f[0]@0, 4 x 4
v.copy u, t
