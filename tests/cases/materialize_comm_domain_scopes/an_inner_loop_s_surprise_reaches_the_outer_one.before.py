# test: frame=host
# values that loops carry and branches yield (pypto-facts 4.2, 4.3)
# an inner loop's surprise reaches the outer one
a = pld.alloc_window_buffer(1)
b = pld.alloc_window_buffer(2)
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
for i, (x1,) in pl.range(3, init_values=(w,)):
    for k, (x2,) in pl.range(3, init_values=(x1,)):
        y2 = pl.yield_(v)
    y1 = pl.yield_(y2)
self.chip(y1, device=2)
self.pair(w, v, device=0)
