# test: frame=insert_comm_fence
# pypto-facts 3.6
# 16 bare_barrier_notify_no_marker
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
pld.system.notify(sig, me, [me, 0], pl.const(1, pl.INT32), op=0)
