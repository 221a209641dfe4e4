# test: frame=flatten_call_expr
# statements
# a scope's body
with pl.scope(mode=pl.ScopeMode.MANUAL):
    pl.tensor.write(x, [0], pl.tensor.read(x, [2]))
