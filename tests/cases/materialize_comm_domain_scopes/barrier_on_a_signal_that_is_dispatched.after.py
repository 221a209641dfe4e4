with pl._dump.comm_domain(name='comm_d0', devices=[0], slots=[pl._dump.window_buffer("c_window", base="c", size=32, load_from_host=False, store_to_host=False)]):
    c: pl.Ptr = pld.tensor.alloc_window_buffer(32)
    s: pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("c_window")] = pl._dump.call('pld.tensor.window', [c, [8, 1]], pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("c_window")], kwargs={"dtype": pl.INT32})
    self.cells(s, device=0)
    y: pld.DistributedTensor[[8, 1], pl.INT32, pl._dump.window_ref("c_window")] = pld.tensor.barrier(s)
