# test: frame=host
# collectives (pypto-facts 4.2, 4.3)
# all_to_all
a: pl.Ptr = pld.tensor.alloc_window_buffer(8192)
b: pl.Ptr = pld.tensor.alloc_window_buffer(8192)
c: pl.Ptr = pld.tensor.alloc_window_buffer(32)
w: pld.DistributedTensor[[8, 256], pl.FP32] = pld.tensor.window(a, [8, 256], dtype=pl.FP32)
v: pld.DistributedTensor[[8, 256], pl.FP32] = pld.tensor.window(b, [8, 256], dtype=pl.FP32)
s: pld.DistributedTensor[[8, 1], pl.INT32] = pld.tensor.window(c, [8, 1], dtype=pl.INT32)
self.rows(w, device=0)
self.rows(v, device=0)
y = pld.tensor.all_to_all(w, v, s)
