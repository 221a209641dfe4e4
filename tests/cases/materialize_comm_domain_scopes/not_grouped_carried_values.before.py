# test: frame=host
# pypto-facts 4.5
# carried values
for r, (acc,) in pl.range(pld.system.world_size(), init_values=(n,)):
    self.chip(d, device=r)
    total: pl.Scalar[pl.INT64] = pl.yield_(acc)
