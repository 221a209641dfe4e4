# test: frame=host
# window buffers and their views (pypto-facts 4.2, 4.3)
# a view that is a parameter as well
buf = pld.alloc_window_buffer(1024)
if True:
    d = pld.window(buf, [256], dtype=pl.FP32)
self.chip(d, device=0)
