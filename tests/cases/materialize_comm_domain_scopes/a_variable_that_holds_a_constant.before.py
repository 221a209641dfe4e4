# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# a variable that holds a constant
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
zero = 0
self.chip(w, device=zero)
