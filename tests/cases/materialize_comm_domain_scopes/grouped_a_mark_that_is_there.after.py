for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": True, "note": 7}):
    self.chip(d, device=r)
