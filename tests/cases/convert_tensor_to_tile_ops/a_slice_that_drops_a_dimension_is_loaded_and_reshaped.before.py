# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
a = x3[1, :, :]
b = x[i, :]
out[:, :] = a
out[4, :] = b
