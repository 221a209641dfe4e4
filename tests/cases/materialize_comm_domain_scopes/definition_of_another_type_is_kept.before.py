# test: frame=host
# An annotation that says more than the definition: only the variable can name the window.
buf = pld.alloc_window_buffer(1024)
w: pld.DistributedTensor[[256], pl.FP32, pl.TensorView(stride=[1])] = pld.tensor.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=0)
