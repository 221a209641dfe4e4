# test: frame=kernel
# never
for i in pl.range(2, 2):
    pl.write(out, [0, i], 9)
for i in pl.range(3, 1):
    pl.write(out, [0, i], 9)
for i in pl.range(0, 3, -1):
    pl.write(out, [0, i], 9)
