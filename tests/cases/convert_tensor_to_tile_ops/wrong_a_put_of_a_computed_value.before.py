# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
y = pl.add(x, x)
pld.tensor.put(w, peer, y)
