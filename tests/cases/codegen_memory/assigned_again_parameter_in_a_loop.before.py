# test: frame=kernel
# names that are assigned again
# parameter in a loop
for i in pl.range(3):
    n = n + pl.const(1, pl.INT32)
pl.write(out, [0, 0], n)
