with pl._dump.comm_domain(name='comm_d0', devices=[0], slots=[pl._dump.window_buffer("buf_window", base="buf", size=1024, load_from_host=False, store_to_host=False)]):
    buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
    w: pld.DistributedTensor[[256], pl.FP32, pl.TensorView(stride=[1]), pl._dump.window_ref("buf_window")] = pld.tensor.window(buf, [256], dtype=pl.FP32)
    self.chip(w, device=0)
