# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# filled in place, with the greatest value
t = pl.load(x, [0, 0], [2, 16], [1, 5])
u = pl.tile.fillpad_inplace(t, pad_value=pl.PadValue.max)
pl.store(u, [0, 0], out)
