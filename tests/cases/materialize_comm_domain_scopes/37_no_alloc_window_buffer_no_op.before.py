# test: frame=host
# pypto-facts 4.4
# 37 no_alloc_window_buffer_no_op
for i in pl.range(4):
    self.plain(x[i], device=i)
self.core(d)
