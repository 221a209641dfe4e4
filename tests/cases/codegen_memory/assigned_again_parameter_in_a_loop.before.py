# test: frame=kernel
# names that are assigned again
# parameter in a loop
for i in pl.range(3):
    n = n + 1
pl.write(out, [0, 0], n)
