# test: frame=host
# pypto-facts 4.4
# 28 two_allocs_same_descriptor_one_group
a = pld.alloc_window_buffer(1024)
b = pld.alloc_window_buffer(1024)
for r in pl.range(pld.world_size()):
    w = pld.window(a, [256], dtype=pl.FP32)
    v = pld.window(b, [256], dtype=pl.FP32)
    self.pair(w, v, device=r)
