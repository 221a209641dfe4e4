# test: frame=host
# values that loops carry and branches yield (pypto-facts 4.2, 4.3)
# branches that yield two windows lead to neither
a = pld.alloc_window_buffer(1)
b = pld.alloc_window_buffer(2)
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
if n > 0:
    y = pl.yield_(w)
else:
    y = pl.yield_(v)
self.chip(y, device=1)
self.pair(w, v, device=0)
