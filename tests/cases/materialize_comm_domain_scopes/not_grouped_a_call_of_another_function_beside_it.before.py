# test: frame=host
# pypto-facts 4.5
# a call of another function beside it
for r in pl.range(pld.system.world_size()):
    self.worker(d)
    self.chip(d, device=r)
