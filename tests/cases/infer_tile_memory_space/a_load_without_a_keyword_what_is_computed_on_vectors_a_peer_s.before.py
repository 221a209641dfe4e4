# test: frame=infer_tile_memory_space
# where results lie
# a load without a keyword, what is computed on vectors, a peer's tile
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16])
u: pl.Tile[[16, 16], pl.FP16] = pl.tile.add(t, t)
g: pl.Tile[[16, 16], pl.FP32] = pld.tile.remote_load(w, 1, [0, 0], [16, 16])
