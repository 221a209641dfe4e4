# test: frame=host
# pypto-facts 4.5
# two dispatches
for r in pl.range(pld.system.world_size()):
    self.chip(d, device=r)
    self.chip(d, device=r)
