# test: frame=host unverified=alloc-duplicate
# window buffers and their views (pypto-facts 4.2, 4.3)
# one variable for two allocations
buf = pld.alloc_window_buffer(1024)
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=0)
