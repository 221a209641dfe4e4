# test: frame=host
# window buffers and their views (pypto-facts 4.2, 4.3)
# the same variable views the same window buffer twice
buf = pld.alloc_window_buffer(1024)
for r in pl.range(2):
    w = pld.window(buf, [256], dtype=pl.FP32)
    self.chip(w, device=r)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=2)
