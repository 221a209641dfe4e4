with pl._dump.comm_domain(name='comm_d0', devices=[0], slots=[pl._dump.window_buffer("a_window", base="a", size=1, load_from_host=False, store_to_host=False), pl._dump.window_buffer("b_window", base="b", size=2, load_from_host=False, store_to_host=False)]):
    a: pl.Ptr = pld.tensor.alloc_window_buffer(1)
    b: pl.Ptr = pld.tensor.alloc_window_buffer(2)
    w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")] = pl._dump.call('pld.tensor.window', [a, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")], kwargs={"dtype": pl.FP32})
    v: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("b_window")] = pl._dump.call('pld.tensor.window', [b, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("b_window")], kwargs={"dtype": pl.FP32})
    if n > 0:
        y: pld.DistributedTensor[[256], pl.FP32] = pl.yield_(w)
    else:
        y: pld.DistributedTensor[[256], pl.FP32] = pl.yield_(v)
    self.chip(y, device=1)
    self.pair(w, v, device=0)
