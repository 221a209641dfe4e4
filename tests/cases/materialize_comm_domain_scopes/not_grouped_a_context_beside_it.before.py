# test: frame=host
# pypto-facts 4.5
# a context beside it
for r in pl.range(pld.system.world_size()):
    d_ctx: pld.CommCtx = pld.system.get_comm_ctx(d)
    self.chip(d, device=r)
