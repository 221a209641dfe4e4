t: pl.Tile[[16, 16], pl.FP16, pl.Mem.Vec] = pl.tile.load(a, [0, 0], [16, 16], [16, 16])
u: pl.Tile[[16, 16], pl.FP16, pl.Mem.Vec] = pl.tile.add(t, t)
g: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pld.tile.remote_load(w, 1, [0, 0], [16, 16])
