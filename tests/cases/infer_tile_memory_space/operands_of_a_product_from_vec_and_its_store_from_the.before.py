# test: frame=infer_tile_memory_space
# moves
# operands of a product from Vec, and its store from the accumulator
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16])
u: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(b, [0, 0], [16, 16], [16, 16])
c: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(t, u)
pl.tile.store(c, [0, 0], out)
