# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
t = pl.tensor.create([8, 16], dtype=pl.FP32)
u = pl.assemble(t, x[0:4, :], [0, 0])
v = pl.assemble(u, w[4:8, :], [4, 0])
w[:, :] = v
