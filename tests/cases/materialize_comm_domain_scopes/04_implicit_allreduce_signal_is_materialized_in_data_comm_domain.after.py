with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("buf_window", base="buf", size=1024, load_from_host=False, store_to_host=False), pl._dump.window_buffer("__allreduce_signal_buf_0_window", base="__allreduce_signal_buf_0", size=__allreduce_signal_world_size_0 * pl.const(1, pl.INT64) * pl.const(4, pl.INT64), load_from_host=False, store_to_host=False)]):
    buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
    w: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")] = pl._dump.call('pld.tensor.window', [buf, [256]], pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.FP32})
    for r in pl.range(pld.system.world_size(), attrs={"group_dispatch": True}):
        self.chip(w, device=r)
    __allreduce_signal_world_size_0: pl.Scalar[pl.INT64] = pld.system.world_size()
    __allreduce_signal_buf_0: pl.Ptr = pld.tensor.alloc_window_buffer(__allreduce_signal_world_size_0 * pl.const(1, pl.INT64) * pl.const(4, pl.INT64))
    __allreduce_signal_0: pld.DistributedTensor[[__allreduce_signal_world_size_0, pl.const(1, pl.INT64)], pl.INT32, pl._dump.window_ref("__allreduce_signal_buf_0_window")] = pl._dump.call('pld.tensor.window', [__allreduce_signal_buf_0, [__allreduce_signal_world_size_0, pl.const(1, pl.INT64)]], pld.DistributedTensor[[__allreduce_signal_world_size_0, pl.const(1, pl.INT64)], pl.INT32, pl._dump.window_ref("__allreduce_signal_buf_0_window")], kwargs={"dtype": pl.INT32})
    y: pld.DistributedTensor[[256], pl.FP32, pl._dump.window_ref("buf_window")] = pld.tensor.allreduce(w, __allreduce_signal_0, op=0)
