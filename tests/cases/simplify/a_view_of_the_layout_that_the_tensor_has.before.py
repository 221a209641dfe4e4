# test: frame=simplify
# views
# a view of the layout that the tensor has
y = pl.tensor.view(x, layout=pl.TensorLayout.ND)
z: pl.Tensor[[4, 64], pl.FP32, pl.TensorView(stride=[1, 4], layout=pl.TensorLayout.DN)] = pl.tensor.view(x, [4, 64], layout=pl.TensorLayout.DN)
u = pl.tensor.view(z, layout=pl.TensorLayout.DN)
pl.test.use(y, u, pl.tensor.view(x, layout=pl.TensorLayout.ND))
