for r in pl.range(0, pld.system.world_size(), 2):
    self.chip(d, device=r)
