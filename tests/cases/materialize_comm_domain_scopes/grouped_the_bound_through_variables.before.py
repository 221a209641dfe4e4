# test: frame=host
# pypto-facts 4.5
# the bound through variables
ws: pl.Scalar[pl.INT64] = pld.system.world_size()
ranks: pl.Scalar[pl.INT64] = ws
for r in pl.range(ranks):
    self.chip(d, device=r)
