with pl._dump.comm_domain(name='comm_d0', devices=[0], slots=[pl._dump.window_buffer("a_window", base="a", size=1, load_from_host=False, store_to_host=False), pl._dump.window_buffer("b_window", base="b", size=2, load_from_host=False, store_to_host=False)]):
    a: pl.Ptr = pld.tensor.alloc_window_buffer(1)
    b: pl.Ptr = pld.tensor.alloc_window_buffer(2)
    w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")] = pl._dump.call('pld.tensor.window', [a, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")], kwargs={"dtype": pl.FP32})
    v: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("b_window")] = pl._dump.call('pld.tensor.window', [b, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("b_window")], kwargs={"dtype": pl.FP32})
    for i, (x1,) in pl.range(3, init_values=(w,)):
        for k, (x2,) in pl.range(3, init_values=(x1,)):
            y2: pld.DistributedTensor[[256], pl.FP32] = pl.yield_(v)
        y1: pld.DistributedTensor[[256], pl.FP32] = pl.yield_(y2)
    self.chip(y1, device=2)
    self.pair(w, v, device=0)
