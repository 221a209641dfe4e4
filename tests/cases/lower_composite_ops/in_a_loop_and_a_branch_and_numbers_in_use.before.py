# test: frame=lower_composite_ops
# the forms of a call
# in a loop and a branch, and numbers in use
eval__ctx_tmp_v0: pl.Scalar[pl.INDEX] = n + 1
eval__nranks_tmp_v2: pl.Scalar[pl.INDEX] = n + 2
for i in pl.range(n):
    if eval__ctx_tmp_v0 < eval__nranks_tmp_v2:
        pld.tensor.barrier(sig)
