t: pl.Tile[[8, 16], pl.FP32] = pl.tile.load(x, [0, 0], [8, 16], [8, 16])
t__tmp_v0: pl.Tile[[8, 16], pl.FP32] = pl.tile.add(t, t)
pl.tile.store(t__tmp_v0, [0, 0], out)
return
