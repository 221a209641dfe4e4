# test: frame=host
# pypto-facts 4.5
# a mark that the program has set to False
for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": False}):
    self.chip(d, device=r)
