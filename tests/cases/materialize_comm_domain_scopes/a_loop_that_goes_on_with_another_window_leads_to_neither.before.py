# test: frame=host
# values that loops carry and branches yield (pypto-facts 4.2, 4.3)
# a loop that goes on with another window leads to neither
a = pld.alloc_window_buffer(1)
b = pld.alloc_window_buffer(2)
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
for i, (acc,) in pl.range(3, init_values=(w,)):
    same = acc
    self.chip(same, device=1)
    last = pl.yield_(v)
self.chip(last, device=2)
self.pair(w, v, device=0)
