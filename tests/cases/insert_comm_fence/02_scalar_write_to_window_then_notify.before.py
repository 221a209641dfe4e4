# test: frame=insert_comm_fence
# pypto-facts 3.6
# 02 scalar_write_to_window_then_notify
pl.tensor.write(win_a, [0, 0], value)
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
