# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# device as an attribute
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, attrs={"device": 3})
