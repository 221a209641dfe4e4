for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": False}):
    self.chip(d, device=r)
