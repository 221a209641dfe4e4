# test: frame=insert_comm_fence
# pypto-facts 3.2
# R1 is not served by a fence
pld.system.wait(sig, [peer, 0], pl.const(1, pl.INT32), cmp=1)
pl.system.fence()
