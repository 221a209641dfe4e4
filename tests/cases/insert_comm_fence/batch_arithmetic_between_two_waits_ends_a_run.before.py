# test: frame=insert_comm_fence
# pypto-facts 3.3
# arithmetic between two waits ends a run
pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
k: pl.Scalar[pl.INT32] = n + me
pld.system.wait(sig, [k, 0], pl.const(1, pl.INT32), cmp=1)
