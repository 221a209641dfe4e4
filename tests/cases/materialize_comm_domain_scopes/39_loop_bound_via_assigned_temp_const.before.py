# test: frame=host
# pypto-facts 4.4
# 39 loop bound via assigned temp const
two = 2
ranks = two
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for r in pl.range(ranks):
    self.chip(w, device=r)
