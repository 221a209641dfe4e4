with pl._dump.comm_domain(name='comm_d0', devices=[0, 1], slots=[pl._dump.window_buffer("buf_window", base="buf", size=1024, load_from_host=False, store_to_host=False)]):
    buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
    for r in pl.range(2):
        w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")] = pl._dump.call('pld.tensor.window', [buf, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.FP32})
        self.chip(w, device=r)
