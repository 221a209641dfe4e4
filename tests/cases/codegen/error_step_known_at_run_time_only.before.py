# test: frame=kernel
# step known at run time only
for i in pl.range(0, 4, n):
    pl.write(out, [0, 0], i)
