# test: frame=lower_host_tensor_collectives
# the windows' domain decides, not the innermost one
with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("data_buf_window", base="data_buf", size=4096, load_from_host=False, store_to_host=False), pl._dump.window_buffer("sig_buf_window", base="sig_buf", size=4096, load_from_host=False, store_to_host=False)]):
    with pl._dump.comm_domain(name='comm_d1', devices=[2], slots=[pl._dump.window_buffer("other_buf_window", base="other_buf", size=4096, load_from_host=False, store_to_host=False)]):
        data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
        data: pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref("data_buf_window")] = pl._dump.call('pld.tensor.window', [data_buf, [4, 64]], pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref("data_buf_window")], kwargs={"dtype": pl.FP32})
        sig_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
        sig: pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("sig_buf_window")] = pl._dump.call('pld.tensor.window', [sig_buf, [4, 1]], pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("sig_buf_window")], kwargs={"dtype": pl.INT32})
        other_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
        other: pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("other_buf_window")] = pl._dump.call('pld.tensor.window', [other_buf, [4, 1]], pld.DistributedTensor[[4, 1], pl.INT32, pl._dump.window_ref("other_buf_window")], kwargs={"dtype": pl.INT32})
        pld.tensor.barrier(sig)
        pld.tensor.barrier(other)
