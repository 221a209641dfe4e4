# test: frame=host
# pypto-facts 4.5
# nothing but the dispatch
for r in pl.range(pld.world_size()):
    self.chip(d, device=r)
