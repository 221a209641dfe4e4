# test: frame=host
# pypto-facts 4.5
# a core function
for r in pl.range(pld.system.world_size()):
    self.core(d)
