# test: frame=host
# pypto-facts 4.4; that the views share one object is in materialize_comm_domain_scopes_test.c
# 31 multi_view_per_alloc_shares_wb_instance
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
v = pld.window(buf, [256], dtype=pl.FP32)
half = pl.tensor.slice(w, [128], [128])
same = v
self.pair(w, v, device=0)
