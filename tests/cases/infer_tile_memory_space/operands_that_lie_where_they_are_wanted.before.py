# test: frame=infer_tile_memory_space
# moves
# operands that lie where they are wanted
l: pl.Tile[[16, 16], pl.FP16] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Left)
r: pl.Tile[[16, 16], pl.FP16] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Right)
c: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(l, r)
