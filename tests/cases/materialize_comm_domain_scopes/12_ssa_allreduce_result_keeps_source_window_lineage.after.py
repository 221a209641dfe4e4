with pl._dump.comm_domain(name='comm_d0', devices=[3], slots=[pl._dump.window_buffer("buf_window", base="buf", size=1024, load_from_host=False, store_to_host=False), pl._dump.window_buffer("sig_window", base="sig", size=32, load_from_host=False, store_to_host=False)]):
    buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
    sig: pl.Ptr = pld.tensor.alloc_window_buffer(32)
    w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")] = pl._dump.call('pld.tensor.window', [buf, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.FP32})
    s: pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("sig_window")] = pl._dump.call('pld.tensor.window', [sig, [8, 1]], pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("sig_window")], kwargs={"dtype": pl.INT32})
    y: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")] = pld.tensor.allreduce(w, s, op=0)
    z: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")] = pld.tensor.allreduce(y, s, op=0)
    self.chip(z, device=3)
