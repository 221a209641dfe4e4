for r in pl.range(pld.system.world_size() - 1):
    self.chip(d, device=r)
