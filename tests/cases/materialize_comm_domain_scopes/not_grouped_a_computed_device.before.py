# test: frame=host
# pypto-facts 4.5
# a computed device
for r in pl.range(pld.system.world_size()):
    self.chip(d, device=r + 0)
