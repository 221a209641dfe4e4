# test: frame=host
# values that loops carry and branches yield (pypto-facts 4.2, 4.3)
# a while loop that carries one window and a number
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for (acc, k) in pl.while_(init_values=(w, n)):
    pl.cond(k > 0)
    self.chip(acc, device=1)
    last, m = pl.yield_(acc, k - 1)
self.chip(last, device=2)
