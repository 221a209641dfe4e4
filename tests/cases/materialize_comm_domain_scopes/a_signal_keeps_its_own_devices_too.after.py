with pl._dump.comm_domain(name='comm_d0', devices=[0], slots=[pl._dump.window_buffer("a_window", base="a", size=1024, load_from_host=False, store_to_host=False)]):
    with pl._dump.comm_domain(name='comm_d1', devices=[0, 1], slots=[pl._dump.window_buffer("c_window", base="c", size=32, load_from_host=False, store_to_host=False)]):
        a: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
        c: pl.Ptr = pld.tensor.alloc_window_buffer(32)
        w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")] = pl._dump.call('pld.tensor.window', [a, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")], kwargs={"dtype": pl.FP32})
        s: pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("c_window")] = pl._dump.call('pld.tensor.window', [c, [8, 1]], pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("c_window")], kwargs={"dtype": pl.INT32})
        self.chip(w, device=0)
        self.cells(s, device=1)
        pld.tensor.broadcast(w, s, root=0)
