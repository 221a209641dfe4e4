for j__idx_v0, (o2__iter_v0,) in pl.range(4, init_values=(out__ssa_v0,)):
    t__ssa_v0: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(x__ssa_v0, [0, 0], [1, 16], [1, 16])
    o2__ssa_v2: pl.Tensor[[4, 64], pl.FP32] = pl.tile.store(t__ssa_v0, [0, 0], out__ssa_v0)
    o2__rv_v1: pl.Tensor[[4, 64], pl.FP32] = pl.yield_(o2__ssa_v2)
pl.test.use(o2__rv_v1)
