with pl._dump.comm_domain(name='comm_d0', devices=[0], slots=[pl._dump.window_buffer("a_window", base="a", size=1, load_from_host=False, store_to_host=False), pl._dump.window_buffer("c_window", base="c", size=3, load_from_host=False, store_to_host=False)]):
    with pl._dump.comm_domain(name='comm_d1', devices=[], slots=[pl._dump.window_buffer("b_window", base="b", size=2, load_from_host=False, store_to_host=False)]):
        with pl._dump.comm_domain(name='comm_d2', devices=[1], slots=[pl._dump.window_buffer("e_window", base="e", size=4, load_from_host=False, store_to_host=False)]):
            a: pl.Ptr = pld.tensor.alloc_window_buffer(1)
            b: pl.Ptr = pld.tensor.alloc_window_buffer(2)
            c: pl.Ptr = pld.tensor.alloc_window_buffer(3)
            e: pl.Ptr = pld.tensor.alloc_window_buffer(4)
            w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")] = pl._dump.call('pld.tensor.window', [a, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("a_window")], kwargs={"dtype": pl.FP32})
            v: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("b_window")] = pl._dump.call('pld.tensor.window', [b, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("b_window")], kwargs={"dtype": pl.FP32})
            u: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("c_window")] = pl._dump.call('pld.tensor.window', [c, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("c_window")], kwargs={"dtype": pl.FP32})
            t: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("e_window")] = pl._dump.call('pld.tensor.window', [e, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("e_window")], kwargs={"dtype": pl.FP32})
            self.pair(w, u, device=0)
            for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": True}):
                self.chip(v, device=r)
            self.chip(t, device=1)
