# test: frame=infer_tile_memory_space
# moves
# what leaves the accumulator for Vec lies there row by row, and so does what is computed from it
l: pl.Tile[[16, 16], pl.FP16, pl.Mem.Left] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Left)
r: pl.Tile[[16, 16], pl.FP16, pl.Mem.Right] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Right)
c: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(l, r)
s: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.col_major, slayout=pl.TileLayout.row_major)] = pl.tile.add(c, c)
