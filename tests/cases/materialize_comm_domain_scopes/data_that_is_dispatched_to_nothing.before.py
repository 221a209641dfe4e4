# test: frame=host
# collectives (pypto-facts 4.2, 4.3)
# data that is dispatched to nothing
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
sig = pld.alloc_window_buffer(32)
s = pld.window(sig, [8, 1], dtype=pl.INT32)
pld.tensor.broadcast(w, s, root=0)
