y: pld.DistributedTensor[[1, 256], pl.FP32] = pl.tensor.view(win, [1, 256])
