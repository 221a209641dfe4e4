# test: frame=insert_comm_fence
# pypto-facts 3.3
# loop stop that reads memory
for src in pl.range(pl.tensor.read(counts, [0, 0])):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
