# test: frame=lower_composite_ops
# data
# all_to_all_v with counts of one dimension
pld.tensor.all_to_all_v(x, w, sig2, send1, got)
