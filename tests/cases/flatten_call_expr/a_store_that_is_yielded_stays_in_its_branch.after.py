t: pl.Tile[[1, 16], pl.FP32] = pl.tile.create([1, 16], dtype=pl.FP32)
if pl.cast(n, pl.INDEX) == 0:
    t__tmp_v0: pld.DistributedTensor[[1, 16], pl.FP32] = pl.tile.store(t, [0, 0], w)
    v: pld.DistributedTensor[[1, 16], pl.FP32] = pl.yield_(t__tmp_v0)
else:
    v: pld.DistributedTensor[[1, 16], pl.FP32] = pl.yield_(w)
