mte2 t <- f[0]@0, 1 x 16
v.tile.exp e, t
