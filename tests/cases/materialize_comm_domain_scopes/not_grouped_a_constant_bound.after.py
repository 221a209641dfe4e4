for r in pl.range(8):
    self.chip(d, device=r)
