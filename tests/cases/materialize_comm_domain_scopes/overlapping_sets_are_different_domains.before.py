# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# overlapping sets are different domains
a = pld.alloc_window_buffer(1)
b = pld.alloc_window_buffer(2)
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
for r in pl.range(0, 2):
    self.chip(w, device=r)
for r in pl.range(1, 3):
    self.chip(v, device=r)
