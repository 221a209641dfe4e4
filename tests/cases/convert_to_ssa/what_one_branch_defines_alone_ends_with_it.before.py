# test: frame=simplify
# what one branch defines alone ends with it
if b:
    z = i + 1
    pl.use(z)
pl.use(i)
