# test: frame=host
# pypto-facts 4.5
# a bound computed from the world size
for r in pl.range(pld.system.world_size() - 1):
    self.chip(d, device=r)
