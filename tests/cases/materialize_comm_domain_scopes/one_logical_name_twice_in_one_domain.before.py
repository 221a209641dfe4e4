# test: frame=host unverified=alloc-duplicate
# window buffers and their views (pypto-facts 4.2, 4.3)
# one logical name twice in one domain
a = pl._dump.alloc_window_buffer(1024, name='buf')
b = pl._dump.alloc_window_buffer(1024, name='buf')
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
self.pair(w, v, device=0)
