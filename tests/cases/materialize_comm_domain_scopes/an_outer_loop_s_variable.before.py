# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# an outer loop's variable
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for r in pl.range(2):
    for i in pl.range(7):
        if n > 0:
            self.chip(w, device=r)
