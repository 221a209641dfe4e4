y: pld.DistributedTensor[[1, 256], pl.FP32, pl.TensorView(stride=[256, 1], layout=pl.TensorLayout.ND)] = pl.tensor.view(win, [1, 256])
