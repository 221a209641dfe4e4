with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("a_window", base="a", size=1, load_from_host=False, store_to_host=False), pl._dump.window_buffer("b_window", base="b", size=2, load_from_host=False, store_to_host=False)]):
    a: pl.Ptr = pld.tensor.alloc_window_buffer(1)
    b: pl.Ptr = pld.tensor.alloc_window_buffer(2)
    w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")] = pl._dump.call('pld.tensor.window', [a, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")], kwargs={"dtype": pl.FP32})
    v: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("b_window")] = pl._dump.call('pld.tensor.window', [b, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("b_window")], kwargs={"dtype": pl.FP32})
    self.chip(v, device=5)
    for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": True}):
        self.pair(w, v, device=r)
