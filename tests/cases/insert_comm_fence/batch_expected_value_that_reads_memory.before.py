# test: frame=insert_comm_fence
# pypto-facts 3.3
# expected value that reads memory
for src in pl.range(8):
    pld.system.wait(sig, [src, 0], pl.tensor.read(counts, [src, 0]), cmp=1)
