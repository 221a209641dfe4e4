# test: frame=bare_kernel
# recorded call
pl._dump.call('tensor.view', [win], pld.DistributedTensor[[256], pl.FP32], kwargs={"a": 1})
