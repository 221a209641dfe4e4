# test: frame=bare_kernel
# legacy window marker is dropped
w: pld.DistributedTensor[[4], pl.FP32, "window_buffer=buf"] = pl.test.mystery()
