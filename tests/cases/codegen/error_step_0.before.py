# test: frame=kernel
# step 0
for i in pl.range(0, 4, 0):
    pl.write(out, [0, 0], i)
