for j, (a, c) in pl.range(i, init_values=(n, i)):
    r, s = pl.yield_(a, c)
return s
