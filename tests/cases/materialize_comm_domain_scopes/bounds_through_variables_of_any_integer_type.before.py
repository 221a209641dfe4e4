# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# bounds through variables, of any integer type
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
low = pl.const(2, pl.INT64)
step = pl.const(1, pl.INT64)
for r in pl.range(low, pl.const(4, pl.INT64), step):
    self.chip(w, device=r)
