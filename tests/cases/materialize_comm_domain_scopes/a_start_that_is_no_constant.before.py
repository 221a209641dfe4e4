# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# a start that is no constant
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for r in pl.range(n, 4):
    self.chip(w, device=r)
