# test: frame=lower_host_tensor_collectives
# one dimension is one lane
with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("data_buf_window", base="data_buf", size=4096, load_from_host=False, store_to_host=False), pl._dump.window_buffer("sig_buf_window", base="sig_buf", size=4096, load_from_host=False, store_to_host=False)]):
    data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
    data: pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref("data_buf_window")] = pl._dump.call('pld.tensor.window', [data_buf, [4, 64]], pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref("data_buf_window")], kwargs={"dtype": pl.FP32})
    sig_buf: pl.Ptr = pld.tensor.alloc_window_buffer(4096)
    sig: pld.DistributedTensor[[4], pl.INT32, pl._dump.window_ref("sig_buf_window")] = pl._dump.call('pld.tensor.window', [sig_buf, [4]], pld.DistributedTensor[[4], pl.INT32, pl._dump.window_ref("sig_buf_window")], kwargs={"dtype": pl.INT32})
    pld.tensor.allreduce(data, sig, op=0, core_num=2)
