# test: frame=convert_tensor_to_tile_ops passes=FlattenCallExpr,ConvertTensorToTileOps
for j in pl.range(16):
    pl.tensor.write(row, [0, j + 8], 7)
