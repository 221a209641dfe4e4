# test: frame=host
# pypto-facts 4.5
# no dispatch
for r in pl.range(pld.system.world_size()):
    row: pl.Tensor[[256], pl.FP32] = pl.tensor.slice(x, [1, 256], [r, 0], [], [0])
