# test: frame=host
# pypto-facts 4.5
# a start above 0
for r in pl.range(1, pld.system.world_size()):
    self.chip(d, device=r)
