# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
out[0:4, :] = pl.gather(x[0:4, :], -1, table)
