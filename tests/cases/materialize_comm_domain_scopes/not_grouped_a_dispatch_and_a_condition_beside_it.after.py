for r in pl.range(pld.system.world_size()):
    if r > 0:
        pass
    self.chip(d, device=r)
