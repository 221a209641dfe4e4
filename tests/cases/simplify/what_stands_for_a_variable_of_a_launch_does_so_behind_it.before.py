# test: frame=simplify
# scopes
# what stands for a variable of a launch does so behind it
for lane in pl.spmd(2):
    if True:
        z = pl.yield_(i)
    else:
        z = pl.yield_(i + lane)
    pl.test.use(z, lane)
pl.test.use(z)
