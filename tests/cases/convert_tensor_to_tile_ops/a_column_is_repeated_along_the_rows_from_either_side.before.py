# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
y = pl.sub(x, c)
z = pl.mul(c, y)
out[:, :] = z
