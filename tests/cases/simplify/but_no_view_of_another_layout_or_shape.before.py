# test: frame=simplify
# views
# but no view of another layout or shape
y: pl.Tensor[[64, 4], pl.FP32] = pl.tensor.view(x, layout=pl.TensorLayout.DN)
z: pl.Tensor[[256], pl.FP32] = pl.tensor.view(x, [256], layout=pl.TensorLayout.ND)
u: pl.Tensor[[256], pl.FP32] = pl.tensor.view(x, [256])
v: pl.Tensor[[4, 64], pl.FP32, pl.TensorLayout.DN] = pl.tensor.view(x, [4, 64], layout=pl.TensorLayout.DN)
w: pl.Tensor[[64, 4], pl.FP32] = pl.tensor.view(v, layout=pl.TensorLayout.ND)
pl.test.use(y, z, u, w)
