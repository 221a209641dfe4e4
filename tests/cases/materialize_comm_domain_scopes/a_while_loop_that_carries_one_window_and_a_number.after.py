with pl._dump.comm_domain(name='comm_d0', devices=[1, 2], slots=[pl._dump.window_buffer("buf_window", base="buf", size=1024, load_from_host=False, store_to_host=False)]):
    buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
    w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")] = pl._dump.call('pld.tensor.window', [buf, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.FP32})
    for (acc, k) in pl.while_(init_values=(w, n)):
        pl.cond(k > 0)
        self.chip(acc, device=1)
        last, m = pl.yield_(acc, k - 1)
    self.chip(last, device=2)
