# test: frame=insert_comm_fence
# pypto-facts 3.3
# loop step that reads memory, deep in an expression
for src in pl.range(0, n, 1 + pl.tensor.read(counts, [0, 0])):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
