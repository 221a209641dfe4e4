for r in pl.range(n):
    self.chip(d, device=r)
