# test: frame=host
# pypto-facts 4.4
# 29 two_allocs_different_descriptors_two_groups
a = pld.alloc_window_buffer(1024)
b = pld.alloc_window_buffer(2048)
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
for r in pl.range(2):
    self.chip(w, device=r)
self.chip(v, device=2)
