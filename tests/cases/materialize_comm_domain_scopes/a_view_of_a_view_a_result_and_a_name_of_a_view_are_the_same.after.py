with pl._dump.comm_domain(name='comm_d0', devices=[0], slots=[pl._dump.window_buffer("a_window", base="a", size=8192, load_from_host=False, store_to_host=False)]):
    with pl._dump.comm_domain(name='comm_d1', devices=[1], slots=[pl._dump.window_buffer("b_window", base="b", size=2048, load_from_host=False, store_to_host=False)]):
        a: pl.Ptr = pld.tensor.alloc_window_buffer(8192)
        b: pl.Ptr = pld.tensor.alloc_window_buffer(2048)
        base: pl.Ptr = b
        t: pld.DistributedTensor[[8, 256], pl.FP32, pl._dump.window_ref("a_window")] = pl._dump.call('pld.tensor.window', [a, [8, 256]], pld.DistributedTensor[[8, 256], pl.FP32, pl._dump.window_ref("a_window")], kwargs={"dtype": pl.FP32})
        w: pld.DistributedTensor[[512], pl.FP32, pl._dump.window_ref("b_window")] = pl._dump.call('pld.tensor.window', [base, [512]], pld.DistributedTensor[[512], pl.FP32, pl._dump.window_ref("b_window")], kwargs={"dtype": pl.FP32})
        row: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")] = t[0]
        half: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("b_window")] = pl.tensor.slice(w, [256], [256])
        self.chip(row, device=0)
        self.chip(half, device=1)
