# test: frame=bare_kernel
# unknown type has no annotation
y = pl.test.mystery(i)
