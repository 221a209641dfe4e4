# test: frame=insert_comm_fence
# pypto-facts 3.3
# wait, then branch of waits: each its own
pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
if n > 0:
    pld.system.wait(sig, [1, 0], pl.const(1, pl.INT32), cmp=1)
