with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("data_buf_window", base="data_buf", size=4096, load_from_host=False, store_to_host=False), pl._dump.window_buffer("stage_buf_window", base="stage_buf", size=4096, load_from_host=False, store_to_host=False), pl._dump.window_buffer("row_buf_window", base="row_buf", size=4096, load_from_host=False, store_to_host=False), pl._dump.window_buffer("sig_buf_window", base="sig_buf", size=4096, load_from_host=False, store_to_host=False), pl._dump.window_buffer("sent_buf_window", base="sent_buf", size=4096, load_from_host=False, store_to_host=False), pl._dump.window_buffer("got_buf_window", base="got_buf", size=4096, load_from_host=False, store_to_host=False)]):
    data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
    data: pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref("data_buf_window")] = pl._dump.call('pld.tensor.window', [data_buf, [4, 64]], pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref("data_buf_window")], kwargs={"dtype": pl.FP32})
    stage_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
    stage: pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref("stage_buf_window")] = pl._dump.call('pld.tensor.window', [stage_buf, [4, 64]], pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref("stage_buf_window")], kwargs={"dtype": pl.FP32})
    row_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
    row: pld.DistributedTensor[[1, 64], pl.FP32, pl._dump.window_ref("row_buf_window")] = pl._dump.call('pld.tensor.window', [row_buf, [1, 64]], pld.DistributedTensor[[1, 64], pl.FP32, pl._dump.window_ref("row_buf_window")], kwargs={"dtype": pl.FP32})
    sig_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
    sig: pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("sig_buf_window")] = pl._dump.call('pld.tensor.window', [sig_buf, [4, 1]], pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("sig_buf_window")], kwargs={"dtype": pl.INT32})
    sent_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
    sent: pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("sent_buf_window")] = pl._dump.call('pld.tensor.window', [sent_buf, [4, 1]], pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("sent_buf_window")], kwargs={"dtype": pl.INT32})
    got_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
    got: pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("got_buf_window")] = pl._dump.call('pld.tensor.window', [got_buf, [4, 1]], pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("got_buf_window")], kwargs={"dtype": pl.INT32})
    for r in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), pl.const(1, pl.INT64)):
        pl.builtin.tensor.allreduce(data, sig, op=0, dtype=pl.FP32, core_num=1, attrs={"op": 0, "dtype": pl.FP32, "core_num": 1, "device": r, "arg_directions": [pl.adir.inout, pl.adir.inout]})
    sum__ssa_v1: pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref("data_buf_window")] = data
    self.chip(sum__ssa_v1, device=0)
