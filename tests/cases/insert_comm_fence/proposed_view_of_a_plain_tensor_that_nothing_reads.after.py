v: pl.Tensor[[1, 64], pl.FP32] = pl.tensor.view(plain, [1, 64])
pl.tile.store(tile, [0, 0], v)
