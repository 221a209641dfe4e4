# test: frame=kernel kernel_tail=barrier auto_sync=yes
# what a key of the toolchain changes
# tail: where every kernel has one, one operation does
t = pl.load(x, [0, 0], [1, 16])
