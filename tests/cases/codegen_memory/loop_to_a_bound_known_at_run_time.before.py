# test: frame=kernel
# to a bound known at run time
for i in pl.range(n):
    pl.write(out, [0, i], n)
