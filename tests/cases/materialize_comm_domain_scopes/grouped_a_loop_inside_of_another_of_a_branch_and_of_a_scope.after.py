for step in pl.range(3):
    if n > 0:
        for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": True}):
            self.chip(d, device=r)
    else:
        for r in pl.range(pld.system.world_size()):
            self.core(d)
while n > 0:
    for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": True}):
        self.chip(d, device=r)
