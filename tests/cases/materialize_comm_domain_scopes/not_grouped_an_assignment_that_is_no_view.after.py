for r in pl.range(pld.system.world_size()):
    next: pl.Scalar[pl.INDEX] = r + 1
    self.chip(d, device=r)
