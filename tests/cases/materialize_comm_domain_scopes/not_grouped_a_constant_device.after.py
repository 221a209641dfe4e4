for r in pl.range(pld.system.world_size()):
    self.chip(d, device=0)
