# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
t = pl.tensor.create([8, 16], dtype=pl.FP32)
u = pl.assemble(t, pl.add(x, x), [0, 0], atomic=pl.AtomicType.Add)
