for i in pl.range(2):
    for r in pl.range(pld.system.world_size()):
        self.chip(d, device=i)
