# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
y = pl.add(x, x)
z = pl.mul(y, x)
out[:, :] = z
