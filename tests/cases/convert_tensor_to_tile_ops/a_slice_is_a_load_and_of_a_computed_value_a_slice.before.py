# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
a = x[0:4, :]
b = w[i : i + 4, 0:16]
d = pl.slice(pl.add(a, b), [2, 16], [0, 0])
out[i : i + 2, :] = d
