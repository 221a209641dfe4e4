# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
t = pl.load(x, [0, 0], [8, 16])
pl.store(pl.add(t, t), [0, 0], out)
