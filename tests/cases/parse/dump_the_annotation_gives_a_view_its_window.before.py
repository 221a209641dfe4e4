# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# the annotation gives a view its window
y: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a")] = pl.tensor.view(win, [256])
