# test: frame=host
# pypto-facts 4.5
# a call inside of an argument
for r in pl.range(pld.system.world_size()):
    self.plain(x[(r + 1) % pld.system.world_size()], device=r)
