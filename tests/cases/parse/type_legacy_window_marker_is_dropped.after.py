w: pld.DistributedTensor[[4], pl.FP32] = pl.test.mystery()
