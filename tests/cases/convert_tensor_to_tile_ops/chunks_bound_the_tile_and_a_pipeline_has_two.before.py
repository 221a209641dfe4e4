# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
pld.tensor.put(w, peer, x, atomic=pld.AtomicType.Add, chunk_rows=2, chunk_cols=8, pipeline=True)
pld.tensor.get(w, peer, w, chunk_rows=100)
