# test: frame=host
# pypto-facts 4.5
# a constant device
for r in pl.range(pld.system.world_size()):
    self.chip(d, device=0)
