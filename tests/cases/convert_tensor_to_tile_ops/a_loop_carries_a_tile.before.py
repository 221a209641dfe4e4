# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
acc0 = pl.tensor.full([8, 16], dtype=pl.FP32, value=0.0)
for j, (acc,) in pl.range(4, init_values=(acc0,)):
    s = pl.add(acc, x)
    total = pl.yield_(s)
out[:, :] = total
