# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
u = pl.assemble(out, x, [0, 0], atomic=pl.AtomicType.Add)
