# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
out[:, :] = pl.scatter(x, -1, index=pl.tensor.full([4, 16], dtype=pl.INT32, value=3), src=x[0:4, :])
