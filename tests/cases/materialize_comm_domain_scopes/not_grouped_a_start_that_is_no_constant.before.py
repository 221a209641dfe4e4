# test: frame=host
# pypto-facts 4.5
# a start that is no constant
for r in pl.range(n, pld.system.world_size()):
    self.chip(d, device=r)
