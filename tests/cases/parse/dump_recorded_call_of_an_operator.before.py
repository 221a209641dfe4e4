# test: frame=bare_kernel
# what only dumps and printed programs spell (pypto-facts 1.4, 1.6)
# recorded call of an operator
pl._dump.call('tensor.view', [win, [256]], pl.Tensor[[8], pl.FP32])
