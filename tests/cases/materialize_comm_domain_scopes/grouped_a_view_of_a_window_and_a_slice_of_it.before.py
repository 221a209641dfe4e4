# test: frame=host
# pypto-facts 4.5
# a view of a window and a slice of it
buf = pld.alloc_window_buffer(2048)
for r in pl.range(pld.world_size()):
    w = pld.window(buf, [512], dtype=pl.FP32)
    half = pl.tensor.slice(w, [256], [0])
    self.chip(half, device=r)
