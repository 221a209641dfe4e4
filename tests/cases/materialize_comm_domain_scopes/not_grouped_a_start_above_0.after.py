for r in pl.range(1, pld.system.world_size()):
    self.chip(d, device=r)
