# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
y = pl.maximum(pl.mul(x, 2.0), 0.0)
out[:, :] = pl.sub(y, 1.0)
