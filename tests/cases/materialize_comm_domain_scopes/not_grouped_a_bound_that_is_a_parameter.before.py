# test: frame=host
# pypto-facts 4.5
# a bound that is a parameter
for r in pl.range(n):
    self.chip(d, device=r)
