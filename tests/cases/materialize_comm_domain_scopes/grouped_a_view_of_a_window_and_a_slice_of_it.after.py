with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("buf_window", base="buf", size=2048, load_from_host=False, store_to_host=False)]):
    buf: pl.Ptr = pld.tensor.alloc_window_buffer(2048)
    for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": True}):
        w: pld.DistributedTensor[[512], pl.FP32, pl._dump.window_ref("buf_window")] = pl._dump.call('pld.tensor.window', [buf, [512]], pld.DistributedTensor[[512], pl.FP32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.FP32})
        half: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")] = pl.tensor.slice(w, [256], [0])
        self.chip(half, device=r)
