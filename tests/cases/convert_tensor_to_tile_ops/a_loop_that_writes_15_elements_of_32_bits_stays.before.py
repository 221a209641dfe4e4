# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
for j in pl.range(15):
    pl.tensor.write(row, [0, j], 7)
