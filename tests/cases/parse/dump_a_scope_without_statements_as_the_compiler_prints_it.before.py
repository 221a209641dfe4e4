# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# a scope without statements, as the compiler prints it
with pl.scope():
with pl.scope():
    with pl.scope():
    pl.m(n)
