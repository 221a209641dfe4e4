# test: frame=kernel auto_sync=yes
# what a key of the toolchain changes
# auto_sync
t = pl.load(x, [0, 0], [1, 16])
pl.store(t, [0, 0], out)
