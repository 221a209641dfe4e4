# test: frame=host
# pypto-facts 4.4
# 33 dead_alloc_no_window
buf = pld.alloc_window_buffer(1024)
dead = pld.alloc_window_buffer(32)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=0)
