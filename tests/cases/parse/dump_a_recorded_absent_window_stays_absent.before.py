# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# a recorded absent window stays absent
y: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a")] = pl._dump.call('tensor.view', [win, [256]], pld.DistributedTensor[[256], pl.FP32])
