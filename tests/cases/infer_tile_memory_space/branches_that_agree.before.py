# test: frame=infer_tile_memory_space
# loops and branches
# branches that agree
if n == 0:
    t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
    m: pl.Tile[[16, 16], pl.FP16] = pl.yield_(t)
else:
    u: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(b, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
    m: pl.Tile[[16, 16], pl.FP16] = pl.yield_(u)
