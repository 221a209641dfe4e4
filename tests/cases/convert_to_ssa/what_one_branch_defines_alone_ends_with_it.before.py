# test: frame=simplify
# what one branch defines alone ends with it
if b:
    z = i + 1
    pl.test.use(z)
pl.test.use(i)
