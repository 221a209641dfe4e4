# test: frame=lower_composite_ops
# the forms of a call
# an assignment: the signal under its new name
sig__ssa_v1: pld.DistributedTensor[[NR, 1], pl.INT32] = pld.tensor.barrier(sig)
pld.tensor.barrier(sig__ssa_v1)
