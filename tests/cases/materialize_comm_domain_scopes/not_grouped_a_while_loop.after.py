while n < pld.system.world_size():
    self.chip(d, device=0)
