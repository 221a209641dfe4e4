# test: frame=host
# window buffers and their views (pypto-facts 4.2, 4.3)
# a window buffer outside of the scopes that are there
with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("buf_window", base="buf", size=1024, load_from_host=False, store_to_host=False)]):
    buf = pld.alloc_window_buffer(1024)
    w = pld.window(buf, [256], dtype=pl.FP32)
    self.chip(w, device=0)
if n > 0:
    more = pld.alloc_window_buffer(1024)
