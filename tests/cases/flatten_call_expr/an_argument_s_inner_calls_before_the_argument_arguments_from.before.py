# test: frame=flatten_call_expr
# expressions
# an argument's inner calls before the argument, arguments from left to right
a: pl.Tile[[1, 16], pl.FP32] = pl.tile.add(pl.tile.muls(pl.tile.create([1, 16], dtype=pl.FP32), 2.0), pl.tile.muls(pl.tile.full([1, 16], dtype=pl.FP32, value=1.0), 3.0))
