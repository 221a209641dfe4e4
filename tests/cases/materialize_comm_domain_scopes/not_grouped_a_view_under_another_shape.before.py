# test: frame=host
# pypto-facts 4.5
# a view under another shape
for r in pl.range(pld.system.world_size()):
    flat: pl.Tensor[[2048], pl.FP32] = pl.tensor.reshape(x, [2048])
    self.chip(d, device=r)
