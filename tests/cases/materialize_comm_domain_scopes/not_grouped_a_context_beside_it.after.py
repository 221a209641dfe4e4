for r in pl.range(pld.system.world_size()):
    d_ctx: pld.CommCtx = pld.system.get_comm_ctx(d)
    self.chip(d, device=r)
