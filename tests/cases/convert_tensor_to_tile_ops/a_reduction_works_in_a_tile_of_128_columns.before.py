# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
out[:, :] = pl.row_expand_sub(x, pl.row_max(x))
