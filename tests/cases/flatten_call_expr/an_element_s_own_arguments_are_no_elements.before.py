# test: frame=flatten_call_expr
# expressions
# an element's own arguments are no elements
pl.tensor.write(x, [pld.system.rank(pld.system.get_comm_ctx(w))], n)
