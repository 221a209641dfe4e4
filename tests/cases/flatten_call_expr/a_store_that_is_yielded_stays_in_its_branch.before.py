# test: frame=flatten_call_expr
# statements
# a store that is yielded stays in its branch
t: pl.Tile[[1, 16], pl.FP32] = pl.tile.create([1, 16], dtype=pl.FP32)
if n == 0:
    v: pld.DistributedTensor[[1, 16], pl.FP32] = pl.yield_(pl.tile.store(t, [0, 0], w))
else:
    v: pld.DistributedTensor[[1, 16], pl.FP32] = pl.yield_(w)
