# test: frame=host
# pypto-facts 4.4
# 26 single_alloc_subset_const_int_devices
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=1)
self.chip(w, device=0)
