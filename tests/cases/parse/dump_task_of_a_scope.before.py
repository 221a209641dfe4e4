# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# task of a scope
with pl.at(level=pl.Level.CHIP) as t:
    pass
pl.m(t)
