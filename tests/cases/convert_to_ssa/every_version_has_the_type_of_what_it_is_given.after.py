t__ssa_v0: pl.Tile[[4, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [0, 0], [4, 16], [2, 16])
t__ssa_v1: pl.Tile[[4, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [0, 0], [4, 16], [i__ssa_v0, 16])
pl.test.use(t__ssa_v1)
