# test: frame=kernel
# integers known at run time
pl.write(out, [0, 0], (0 - n) // 2)
pl.write(out, [0, 1], (0 - n) % 2)
pl.write(out, [0, 2], pl.min(n, 2) * 10 + pl.max(n, 9))
pl.write(out, [0, 3], (n << 2 | 1) ^ 8)
