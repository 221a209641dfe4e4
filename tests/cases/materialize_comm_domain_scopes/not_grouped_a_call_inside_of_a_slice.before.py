# test: frame=host
# pypto-facts 4.5
# a call inside of a slice
for r in pl.range(pld.system.world_size()):
    row: pl.Tensor[[256], pl.FP32] = pl.tensor.slice(x, [1, 256], [pld.system.world_size() - 1, 0], [], [0])
    self.plain(row, device=r)
