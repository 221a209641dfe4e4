# test: frame=insert_comm_fence
# pypto-facts 3.1
# defer_wait gets nothing
pld.system.defer_wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
