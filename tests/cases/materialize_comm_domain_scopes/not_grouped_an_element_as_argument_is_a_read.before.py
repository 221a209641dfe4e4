# test: frame=host
# pypto-facts 4.5
# an element as argument is a read
for r in pl.range(pld.system.world_size()):
    self.count(d, x[r, 0], device=r)
