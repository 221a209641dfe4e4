# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# a loop's variable behind the loop's end
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for r in pl.range(2):
    self.chip(w, device=r)
for i in pl.range(n):
    self.chip(w, device=i)
