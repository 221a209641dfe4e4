# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
y = pl.gather(x, 0, table)
