# test: frame=host
# pypto-facts 4.5
# a constant bound
for r in pl.range(8):
    self.chip(d, device=r)
