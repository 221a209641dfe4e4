# test: frame=kernel
# else
if n != 3:
    pl.write(out, [0, 0], 8)
else:
    pl.write(out, [0, 1], 9)
