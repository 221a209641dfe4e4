# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# loops of every kind
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for r in pl.parallel(2):
    self.chip(w, device=r)
for r in pl.unroll(2, 3):
    self.chip(w, device=r)
