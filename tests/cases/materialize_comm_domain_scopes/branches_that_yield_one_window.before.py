# test: frame=host
# values that loops carry and branches yield (pypto-facts 4.2, 4.3)
# branches that yield one window
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
if n > 0:
    y = pl.yield_(w)
else:
    y = pl.yield_(w)
self.chip(y, device=1)
