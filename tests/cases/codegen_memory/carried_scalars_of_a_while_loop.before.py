# test: frame=kernel
# scalars of a while loop
for (a, b) in pl.while_(init_values=(0, 10)):
    pl.cond(a < b)
    c = a + 1
    d = b - 2
    ra, rb = pl.yield_(c, d)
pl.write(out, [0, 0], ra)
pl.write(out, [0, 1], rb)
