for r in pl.range(pld.system.world_size()):
    self.count(d, x[r, 0], device=r)
