# test: frame=insert_comm_fence
# pypto-facts 3.3
# a wait whose operand reads memory ends a run
pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
pld.system.wait(sig, [pl.tensor.read(counts, [0, 0]), 0], pl.const(1, pl.INT32), cmp=1)
pld.system.wait(sig, [1, 0], pl.const(1, pl.INT32), cmp=1)
