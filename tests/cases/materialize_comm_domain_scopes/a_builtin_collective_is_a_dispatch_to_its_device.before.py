# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# a builtin collective is a dispatch to its device
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
cells = pld.alloc_window_buffer(32)
s = pld.window(cells, [8, 1], dtype=pl.INT32)
self.chip(w, device=0)
pl.builtin.tensor.allreduce(w, s, op=0, dtype=pl.FP32, attrs={"device": 0})
pl.builtin.tensor.allreduce(w, s, op=0, dtype=pl.FP32, attrs={"device": 2})
