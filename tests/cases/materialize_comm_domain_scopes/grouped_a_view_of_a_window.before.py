# test: frame=host
# pypto-facts 4.5
# a view of a window
buf = pld.alloc_window_buffer(1024)
for r in pl.range(pld.world_size()):
    w = pld.window(buf, [256], dtype=pl.FP32)
    self.chip(w, device=r)
