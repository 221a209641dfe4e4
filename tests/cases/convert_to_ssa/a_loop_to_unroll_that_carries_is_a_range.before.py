# test: frame=bare_kernel
# How often it runs is known at run time only, so it is not unrolled; and pl.unroll carries nothing in text.
m = i
for j in pl.unroll(i):
    m = m + 1
pl.test.use(m)
