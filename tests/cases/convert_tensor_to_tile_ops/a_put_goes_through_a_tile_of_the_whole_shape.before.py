# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
pld.tensor.put(w, peer, x)
pld.tensor.get(out, peer, w, dst_offsets=[0, 0], src_offsets=[4, 0], shape=[4, 16])
