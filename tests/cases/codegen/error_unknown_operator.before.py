# test: frame=kernel
# unknown operator
pl.tile.frobnicate(x)
