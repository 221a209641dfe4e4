# test: frame=kernel
# unknown operator
pl.frobnicate(x)
