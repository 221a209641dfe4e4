# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
out[0:4, :] = x[0:4, :]
pl.tensor.write(out, [5, 0], 1.0)
