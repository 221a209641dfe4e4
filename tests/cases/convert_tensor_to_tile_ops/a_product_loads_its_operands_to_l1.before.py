# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
a = x[:, 0:8]
y = pl.matmul(a, x)
z = pl.matmul(x, x, b_trans=True)
out[:, :] = y
