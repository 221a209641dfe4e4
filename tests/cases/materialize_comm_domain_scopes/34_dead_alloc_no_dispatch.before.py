# test: frame=host
# pypto-facts 4.4
# 34 dead_alloc_no_dispatch
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
