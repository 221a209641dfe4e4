# test: frame=host
# pypto-facts 4.5
# arithmetic as argument is no call
for r in pl.range(pld.world_size()):
    self.plain(x[(r + 1) % n], device=r)
