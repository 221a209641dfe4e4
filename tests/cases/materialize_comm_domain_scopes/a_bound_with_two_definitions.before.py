# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# a bound with two definitions
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
m = 2
m = 3
for r in pl.range(m):
    self.chip(w, device=r)
