# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# constants and all: all
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=5)
for r in pl.range(pld.world_size()):
    self.chip(w, device=r)
self.chip(w, device=6)
