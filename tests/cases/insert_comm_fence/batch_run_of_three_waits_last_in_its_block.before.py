# test: frame=insert_comm_fence
# pypto-facts 3.3
# run of three waits, last in its block
pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
pld.system.wait(sig, [1, 0], pl.const(1, pl.INT32), cmp=1)
pld.system.wait(sig, [2, 0], pl.const(1, pl.INT32), cmp=1)
