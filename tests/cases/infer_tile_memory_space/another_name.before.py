# test: frame=infer_tile_memory_space
# where results lie
# another name
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
u: pl.Tile[[16, 16], pl.FP16] = t
