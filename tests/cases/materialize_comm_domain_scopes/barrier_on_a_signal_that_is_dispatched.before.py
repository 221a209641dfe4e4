# test: frame=host
# collectives (pypto-facts 4.2, 4.3)
# barrier on a signal that is dispatched
c = pld.alloc_window_buffer(32)
s = pld.window(c, [8, 1], dtype=pl.INT32)
self.cells(s, device=0)
y = pld.tensor.barrier(s)
