for r in pl.range(pld.system.world_size()):
    for i in pl.range(2):
        self.chip(d, device=r)
