# test: frame=host unverified=call-argument
# window buffers and their views (pypto-facts 4.2, 4.3)
# only the pointer is passed on
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.plain(buf, device=0)
