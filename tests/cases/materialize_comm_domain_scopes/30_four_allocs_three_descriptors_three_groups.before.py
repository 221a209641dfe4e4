# test: frame=host
# pypto-facts 4.4
# 30 four_allocs_three_descriptors_three_groups
a = pld.alloc_window_buffer(1)
b = pld.alloc_window_buffer(2)
c = pld.alloc_window_buffer(3)
e = pld.alloc_window_buffer(4)
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
u = pld.window(c, [256], dtype=pl.FP32)
t = pld.window(e, [256], dtype=pl.FP32)
self.pair(w, u, device=0)
for r in pl.range(pld.world_size()):
    self.chip(v, device=r)
self.chip(t, device=1)
