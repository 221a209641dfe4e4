# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# a dispatch in a returned value
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
return self.chip(w, device=1)
