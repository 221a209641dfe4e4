with pl._dump.comm_domain(name='comm_d0', devices=[0], slots=[pl._dump.window_buffer("a_window", base="a", size=1024, load_from_host=False, store_to_host=False), pl._dump.window_buffer("c_window", base="c", size=32, load_from_host=False, store_to_host=False)]):
    a: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
    c: pl.Ptr = pld.tensor.alloc_window_buffer(32)
    w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")] = pl._dump.call('pld.tensor.window', [a, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")], kwargs={"dtype": pl.FP32})
    s: pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("c_window")] = pl._dump.call('pld.tensor.window', [c, [8, 1]], pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("c_window")], kwargs={"dtype": pl.INT32})
    for i, (acc,) in pl.range(3, init_values=(w,)):
        next: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")] = pld.tensor.allreduce(acc, s, op=0)
        last: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")] = pl.yield_(next)
    self.chip(last, device=0)
