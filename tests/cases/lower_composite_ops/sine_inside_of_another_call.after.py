t: pl.Tile[[4, 8], pl.FP32] = pl.tile.load(x, [0, 0], [4, 8], [4, 8])
u: pld.DistributedTensor[[4, 8], pl.FP32] = pl.tile.store(pl.tile.sin(t), [0, 0], w)
