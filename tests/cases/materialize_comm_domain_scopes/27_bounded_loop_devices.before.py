# test: frame=host
# pypto-facts 4.4
# 27 bounded_loop_devices
buf = pld.alloc_window_buffer(1024)
for r in pl.range(2):
    w = pld.window(buf, [256], dtype=pl.FP32)
    self.chip(w, device=r)
