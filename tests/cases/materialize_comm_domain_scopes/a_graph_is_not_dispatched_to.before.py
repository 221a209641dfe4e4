# test: frame=host
# devices (pypto-facts 4.2, 4.3)
# a Graph is not dispatched to
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.graph(w, device=0)
