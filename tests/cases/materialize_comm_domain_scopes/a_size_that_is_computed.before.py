# test: frame=host
# window buffers and their views (pypto-facts 4.2, 4.3)
# a size that is computed
ws = pld.world_size()
buf = pld.alloc_window_buffer(ws * 128)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=0)
