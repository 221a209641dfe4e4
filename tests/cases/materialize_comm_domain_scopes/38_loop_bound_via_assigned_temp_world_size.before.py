# test: frame=host
# pypto-facts 4.4
# 38 loop bound via assigned temp world_size
ws = pld.world_size()
ranks = ws
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for r in pl.range(ranks):
    self.chip(w, device=r)
