for r in pl.range(pld.system.world_size()):
    self.worker(d)
    self.chip(d, device=r)
