c: pld.CommCtx = pld.system.get_comm_ctx(win)
