t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [i, 0], [1, 64], [1, 64], target_memory=pl.Mem.Vec)
