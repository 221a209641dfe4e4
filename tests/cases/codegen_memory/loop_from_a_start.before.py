# test: frame=kernel
# from a start
for i in pl.range(1, 3):
    pl.write(out, [0, i], 10 + i)
