for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": True}):
    self.plain(x[(r + 1) % n], device=r)
