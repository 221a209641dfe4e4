y: pl.Tensor[[64], pl.FP32] = pl.tensor.slice(x, [1, 64], [i, 0], [], [0])
