# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
out[:, :] = pl.tensor.cmp(x, 0.5, cmp_type=4)
