# test: frame=host
# pypto-facts 4.5
# a parallel loop
for r in pl.parallel(pld.system.world_size()):
    self.chip(d, device=r)
