# test: frame=kernel
# integers known when compiled
pl.write(out, [0, 0], -7 // 2)
pl.write(out, [0, 1], -7 % 3)
pl.write(out, [0, 2], abs(-4))
pl.write(out, [0, 3], ~5)
