# test: frame=kernel
# what the compiler lost
pl.write(out, [0, 0], n__FREE_VAR)
