with pl._dump.comm_domain(name='comm_d0', devices=[0], slots=[pl._dump.window_buffer("a_window", base="a", size=8192, load_from_host=False, store_to_host=False), pl._dump.window_buffer("c_window", base="c", size=32, load_from_host=False, store_to_host=False)]):
    a: pl.Ptr = pld.tensor.alloc_window_buffer(8192)
    c: pl.Ptr = pld.tensor.alloc_window_buffer(32)
    t: pld.DistributedTensor[[8, 256], pl.FP32, pl._dump.window_ref("a_window")] = pl._dump.call('pld.tensor.window', [a, [8, 256]], pld.DistributedTensor[[8, 256], pl.FP32, pl._dump.window_ref("a_window")], kwargs={"dtype": pl.FP32})
    s: pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("c_window")] = pl._dump.call('pld.tensor.window', [c, [8, 1]], pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("c_window")], kwargs={"dtype": pl.INT32})
    row: pl.Tensor[[1, 256], pl.FP32] = pl.tensor.slice(x, [1, 256], [0, 0])
    self.rows(t, device=0)
    pld.tensor.allgather(row, t, s)
