# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
if i < 4:
    a = pl.add(x, 1.0)
    y = pl.yield_(a)
else:
    b = pl.sub(x, 1.0)
    y = pl.yield_(b)
out[:, :] = y
