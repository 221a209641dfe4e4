x: pld.DistributedTensor[[64], pl.FP32] = pl.tensor.slice(win_a, [1, 64], [0, 0], [], [0])
y: pl.Scalar[pl.FP32] = pl.tensor.read(win_a, [0, 3])
z: pl.Tensor[[64], pl.FP32] = pl.tensor.slice(plain, [1, 64], [n, 0], [], [0])
