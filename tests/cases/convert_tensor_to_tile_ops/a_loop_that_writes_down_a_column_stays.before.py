# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
for j in pl.range(8):
    pl.tensor.write(table, [j, 0], 7)
