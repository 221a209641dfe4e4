# test: frame=bare_kernel
# regions by keyword skip the second stage
s = pl.create_tile([1, 64], dtype=pl.FP32)
pld.tile.put(win, n, x, s, dst_offsets=[0, 0], src_offsets=[1, 0], shape=[1, 64], atomic=0)
