# test: frame=host
# pypto-facts 4.5
# a subscript as argument, which flattening makes a slice
for r in pl.range(pld.world_size()):
    self.plain(x[r], device=r)
