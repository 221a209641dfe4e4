# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# recorded type that inference gives too
pl._dump.call('tensor.view', [x, [256]], pl.Tensor[[256], pl.FP32, pl.TensorView(stride=[1], layout=pl.TensorLayout.ND)])
