# test: frame=simplify
# what one branch does not define has no value behind
if b:
    z = i + 1
pl.test.use(z)
