# test: frame=host
# collectives (pypto-facts 4.2, 4.3)
# allgather: the input is not tracked
a = pld.alloc_window_buffer(8192)
c = pld.alloc_window_buffer(32)
t = pld.window(a, [8, 256], dtype=pl.FP32)
s = pld.window(c, [8, 1], dtype=pl.INT32)
row = pl.tensor.slice(x, [1, 256], [0, 0])
self.rows(t, device=0)
pld.tensor.allgather(row, t, s)
