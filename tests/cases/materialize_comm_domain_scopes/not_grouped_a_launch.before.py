# test: frame=host
# pypto-facts 4.5
# a launch
for r in pl.range(pld.system.world_size()):
    out, tid = pl.submit(self.chip, d, device=r)
