# test: frame=host
# pypto-facts 4.5
# a dispatch whose result has a name
for r in pl.range(pld.world_size()):
    y = self.chip(d, device=r)
