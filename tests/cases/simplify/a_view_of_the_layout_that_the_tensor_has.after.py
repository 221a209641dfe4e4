y: pl.Tensor[[4, 64], pl.FP32, pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.ND)] = x
z: pl.Tensor[[4, 64], pl.FP32, pl.TensorView(stride=[1, 4], layout=pl.TensorLayout.DN)] = pl.tensor.view(x, [4, 64], layout=pl.TensorLayout.DN)
u: pl.Tensor[[4, 64], pl.FP32, pl.TensorView(stride=[1, 4], layout=pl.TensorLayout.DN)] = z
pl.test.use(y, u, x)
