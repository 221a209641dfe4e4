# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
pld.tensor.remote_store(x, w, peer, [0, 0])
y = pl.neg(c)
pld.tensor.remote_store(pl.row_expand(out, y), w, peer, [0, 0])
