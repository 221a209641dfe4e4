# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# calls without a device, and of others than chip orchestrators, do not count
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w)
self.worker(w)
self.chip(w, device=1)
