w: pl.Tensor[[1, 64], pl.FP32] = pl.tile.store(tile, [0, 0], plain)
pl.system.fence()
pl.system.cacheinvalid(plain, [1, 64], [0, 0])
pl.tensor.read(w, [0, 0])
