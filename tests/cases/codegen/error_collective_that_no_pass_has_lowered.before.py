# test: frame=kernel
# collective that no pass has lowered
pld.tensor.barrier(sig)
