# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
a = pl.tensor.slice(x, [1, 1], [0, 0], [], [0, 1])
