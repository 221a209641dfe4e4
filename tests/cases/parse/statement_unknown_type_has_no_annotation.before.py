# test: frame=bare_kernel
# unknown type has no annotation
y = pl.mystery(i)
