# test: frame=host
# pypto-facts 4.5
# other attributes stay
for r in pl.range(pld.system.world_size(), attrs={"note": 7}):
    self.chip(d, device=r)
