# test: frame=host
# pypto-facts 4.5
# start and step of another integer type
for r in pl.range(pl.const(0, pl.INT64), pld.world_size(), pl.const(1, pl.INT64)):
    self.chip(d, device=r)
