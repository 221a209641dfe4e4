# test: frame=host
# pypto-facts 4.5
# a dispatch under a condition
for r in pl.range(pld.system.world_size()):
    if r > 0:
        self.chip(d, device=r)
