# test: frame=cube_kernel
# functions that are left as they are
# a function of one lane already
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16])
