# test: frame=host
# pypto-facts 4.5
# a Graph
for r in pl.range(pld.system.world_size()):
    self.graph(d)
