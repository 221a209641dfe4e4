# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
a = pl.tensor.read(h, [0, 0])
y = pl.exp(x)
b = pl.tensor.read(y, [0, 1])
pl.tensor.write(y, [0, 0], b)
pl.tensor.write(out, [0, 0], b)
