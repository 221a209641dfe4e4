for r in pl.parallel(pld.system.world_size()):
    self.chip(d, device=r)
