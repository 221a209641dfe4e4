# test: frame=host
# pypto-facts 4.5
# a dispatch and a condition beside it
for r in pl.range(pld.system.world_size()):
    if r > 0:
        pass
    self.chip(d, device=r)
