# test: frame=host
# pypto-facts 4.5
# a while loop
while n < pld.system.world_size():
    self.chip(d, device=0)
