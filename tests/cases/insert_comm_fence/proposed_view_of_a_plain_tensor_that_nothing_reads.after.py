v: pl.Tensor[[1, 64], pl.FP32, pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.ND)] = pl.tensor.view(plain, [1, 64])
pl.tile.store(tile, [0, 0], v)
