ws: pl.Scalar[pl.INT64] = pld.system.world_size()
ranks: pl.Scalar[pl.INT64] = ws
for r in pl.range(ranks, attrs={"group_dispatch": True}):
    self.chip(d, device=r)
