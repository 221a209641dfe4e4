for i in pl.range(4):
    self.plain(x[i], device=i)
self.core(d)
