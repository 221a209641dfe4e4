# test: frame=infer_tile_memory_space
# where results lie
# an annotation says where a load lies that has no keyword
t: pl.Tile[[16, 16], pl.FP16, pl.Mem.Mat] = pl.tile.load(a, [0, 0], [16, 16], [16, 16])
