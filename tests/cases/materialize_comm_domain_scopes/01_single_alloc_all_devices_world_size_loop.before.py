# test: frame=host
# pypto-facts 4.4
# 01 single_alloc_all_devices_world_size_loop
ws = pld.world_size()
buf = pld.alloc_window_buffer(1024)
for r in pl.range(ws):
    w = pld.window(buf, [256], dtype=pl.FP32)
    self.chip(w, device=r)
