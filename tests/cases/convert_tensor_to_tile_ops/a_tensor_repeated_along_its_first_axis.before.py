# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
y = pl.tensor.expand_clone(x1, x3)
