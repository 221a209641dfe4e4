# test: frame=infer_tile_memory_space
# where results lie
# a keyword, in either spelling of the space
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.MemorySpace.Mat)
l: pl.Tile[[16, 16], pl.FP16] = pl.tile.move(t, target_memory=pl.Mem.Left)
