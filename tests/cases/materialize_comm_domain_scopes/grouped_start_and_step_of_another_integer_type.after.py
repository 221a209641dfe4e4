for r in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), pl.const(1, pl.INT64), attrs={"group_dispatch": True}):
    self.chip(d, device=r)
