# test: frame=insert_comm_fence
# pypto-facts 3.3
# condition over a register of the core
for src in pl.range(8):
    if src != pl.tile.get_block_idx():
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
