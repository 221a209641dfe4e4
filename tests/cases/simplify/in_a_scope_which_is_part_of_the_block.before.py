# test: frame=simplify
# scalars that are assigned once, to a constant
# in a scope, which is part of the block
with pl.scope(mode=pl.ScopeMode.MANUAL):
    c: pl.Scalar[pl.INDEX] = 3
    pl.test.use(c)
pl.test.use(c)
