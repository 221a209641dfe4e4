# test: frame=host
# values that loops carry and branches yield (pypto-facts 4.2, 4.3)
# nor does one that starts with another value
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for i, (acc,) in pl.range(3, init_values=(d,)):
    last = pl.yield_(w)
self.chip(last, device=2)
self.chip(w, device=0)
