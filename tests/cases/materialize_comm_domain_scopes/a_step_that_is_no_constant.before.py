# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# a step that is no constant
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for r in pl.range(0, 4, n):
    self.chip(w, device=r)
