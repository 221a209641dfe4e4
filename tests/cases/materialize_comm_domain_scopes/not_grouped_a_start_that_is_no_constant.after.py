for r in pl.range(n, pld.system.world_size()):
    self.chip(d, device=r)
