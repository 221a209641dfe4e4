# test: frame=insert_comm_fence
# pypto-facts 3.3
# inner bound that reads memory disqualifies the outer loop too
for row in pl.range(4):
    for src in pl.range(pl.tensor.read(counts, [row, 0])):
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
