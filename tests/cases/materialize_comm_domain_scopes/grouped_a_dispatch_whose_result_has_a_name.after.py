for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": True}):
    y = self.chip(d, device=r)
