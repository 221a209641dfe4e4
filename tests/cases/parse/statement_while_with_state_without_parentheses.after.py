for (a, c) in pl.while_(init_values=(n, i)):
    pl.cond(c < 2)
    r, s = pl.yield_(a, c + 1)
