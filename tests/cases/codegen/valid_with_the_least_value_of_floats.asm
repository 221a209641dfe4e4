mte2 t <- f[0]@0, 2 x 3
v.fillpad u, t, 2 x 3, 4286578688
