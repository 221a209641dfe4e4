with pl._dump.comm_domain(name='comm_d0', devices=[0, 2], slots=[pl._dump.window_buffer("buf_window", base="buf", size=1024, load_from_host=False, store_to_host=False), pl._dump.window_buffer("cells_window", base="cells", size=32, load_from_host=False, store_to_host=False)]):
    buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
    w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")] = pl._dump.call('pld.tensor.window', [buf, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.FP32})
    cells: pl.Ptr = pld.tensor.alloc_window_buffer(32)
    s: pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("cells_window")] = pl._dump.call('pld.tensor.window', [cells, [8, 1]], pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("cells_window")], kwargs={"dtype": pl.INT32})
    self.chip(w, device=0)
    pl.builtin.tensor.allreduce(w, s, op=0, dtype=pl.FP32, attrs={"device": 0})
    pl.builtin.tensor.allreduce(w, s, op=0, dtype=pl.FP32, attrs={"device": 2})
