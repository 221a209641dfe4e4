# test: frame=host
# pypto-facts 4.5
# a loop inside of another, of a branch, and of a scope
for step in pl.range(3):
    if n > 0:
        for r in pl.range(pld.world_size()):
            self.chip(d, device=r)
    else:
        for r in pl.range(pld.world_size()):
            self.core(d)
while n > 0:
    for r in pl.range(pld.world_size()):
        self.chip(d, device=r)
