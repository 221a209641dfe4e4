# test: frame=host
# pypto-facts 4.5
# the device of another loop
for i in pl.range(2):
    for r in pl.range(pld.system.world_size()):
        self.chip(d, device=i)
