# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# with the least value, of floats
t = pl.load(f, [0, 0], [2, 16], [2, 3])
u = pl.fillpad(t, pad_value=pl.PadValue.min)
# -inf: 0xff800000
