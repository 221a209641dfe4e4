# test: frame=host
# window buffers and their views (pypto-facts 4.2, 4.3)
# a view as an argument
buf = pld.alloc_window_buffer(1024)
self.chip(pld.window(buf, [256], dtype=pl.FP32), device=0)
