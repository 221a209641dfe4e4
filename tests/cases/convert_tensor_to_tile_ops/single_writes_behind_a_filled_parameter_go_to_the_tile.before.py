# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
zero = pl.tensor.full([1, 64], dtype=pl.INT32, value=0)
filled = pl.assemble(row, zero, [0, 0])
pl.tensor.write(filled, [0, 3], peer)
return filled
