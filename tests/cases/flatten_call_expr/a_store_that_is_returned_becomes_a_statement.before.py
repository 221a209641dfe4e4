# test: frame=flatten_call_expr
# statements
# a store that is returned becomes a statement
t: pl.Tile[[1, 16], pl.FP32] = pl.tile.create([1, 16], dtype=pl.FP32)
return pl.tile.store(t, [0, 0], w)
