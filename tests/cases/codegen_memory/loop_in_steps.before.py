# test: frame=kernel
# in steps
for i in pl.range(0, 4, 2):
    pl.write(out, [0, i], 10 + i)
