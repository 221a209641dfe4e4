# test: frame=kernel
# conditions
if n > 2 and n < 4:
    pl.write(out, [0, 0], 1)
if n > 3 or not n == 3:
    pl.write(out, [0, 1], 1)
if 3 <= n:
    pl.write(out, [0, 2], 1)
