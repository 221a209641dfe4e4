# test: frame=host
# values that loops carry and branches yield (pypto-facts 4.2, 4.3)
# a loop that carries one window
a = pld.alloc_window_buffer(1024)
c = pld.alloc_window_buffer(32)
w = pld.window(a, [256], dtype=pl.FP32)
s = pld.window(c, [8, 1], dtype=pl.INT32)
for i, (acc,) in pl.range(3, init_values=(w,)):
    next = pld.tensor.allreduce(acc, s, op=0)
    last = pl.yield_(next)
self.chip(last, device=0)
