for j__idx_v0 in pl.range(4):
    t__ssa_v0: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [0, 0], [1, 16], [1, 16])
    pl.test.use(t__ssa_v0)
t__ssa_v1: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [1, 0], [1, 16], [1, 16])
pl.test.use(t__ssa_v1)
