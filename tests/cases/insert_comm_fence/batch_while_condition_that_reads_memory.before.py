# test: frame=insert_comm_fence
# pypto-facts 3.3
# while condition that reads memory
while pl.tensor.read(counts, [0, 0]) < n:
    pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
