# test: frame=host
# pypto-facts 4.4
# 35 non_unit_step_device_loop
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for r in pl.range(0, 4, 2):
    self.chip(w, device=r)
