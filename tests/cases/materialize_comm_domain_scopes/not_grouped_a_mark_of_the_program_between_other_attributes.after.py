for r in pl.range(pld.system.world_size(), attrs={"note": 7, "group_dispatch": False, "x": 1}):
    self.chip(d, device=r)
