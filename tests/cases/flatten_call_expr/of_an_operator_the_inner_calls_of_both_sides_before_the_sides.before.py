# test: frame=flatten_call_expr
# expressions
# of an operator the inner calls of both sides before the sides
v: pl.Scalar[pl.INT32] = pld.system.rank(pld.system.get_comm_ctx(w)) + pld.system.nranks(pld.system.get_comm_ctx(w))
