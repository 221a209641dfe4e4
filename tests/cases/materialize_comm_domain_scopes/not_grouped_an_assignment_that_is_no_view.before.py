# test: frame=host
# pypto-facts 4.5
# an assignment that is no view
for r in pl.range(pld.system.world_size()):
    next: pl.Scalar[pl.INDEX] = r + 1
    self.chip(d, device=r)
