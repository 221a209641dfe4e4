# test: frame=infer_tile_memory_space
# where results lie
# an operator that nobody knows
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.mystery(a)
