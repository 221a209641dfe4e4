# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
acc = pl.mul(x, 2.0)
for j in pl.range(3):
    acc = pl.add(acc, x)
out[:, :] = acc
