# test: frame=kernel
# downwards
for i in pl.range(3, 0, -1):
    pl.write(out, [0, i], 10 + i)
