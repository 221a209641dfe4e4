# test: frame=kernel kernel_entry=dcci_all
# what a key of the toolchain changes
# entry: invalidate all
pl.write(out, [0, 0], 1)
