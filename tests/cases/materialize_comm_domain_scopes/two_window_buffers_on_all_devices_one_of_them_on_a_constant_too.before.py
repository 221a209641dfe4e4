# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# two window buffers on all devices, one of them on a constant too: one domain
a = pld.alloc_window_buffer(1)
b = pld.alloc_window_buffer(2)
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
self.chip(v, device=5)
for r in pl.range(pld.world_size()):
    self.pair(w, v, device=r)
