# test: frame=host
# pypto-facts 4.5
# a dispatch in an inner loop
for r in pl.range(pld.system.world_size()):
    for i in pl.range(2):
        self.chip(d, device=r)
