# test: frame=host
# pypto-facts 4.5
# a slice
for r in pl.range(pld.world_size()):
    row = pl.tensor.slice(x, [1, 256], [r, 0], [], [0])
    self.plain(row, device=r)
