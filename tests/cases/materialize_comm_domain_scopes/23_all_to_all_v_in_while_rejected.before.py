# test: frame=host
# pypto-facts 4.4: the window that receives the counts follows the data as the signal does
# 23 all_to_all_v_in_while_rejected
b_in: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
b_out: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
b_sig: pl.Ptr = pld.tensor.alloc_window_buffer(32)
b_send: pl.Ptr = pld.tensor.alloc_window_buffer(32)
b_recv: pl.Ptr = pld.tensor.alloc_window_buffer(32)
src: pld.DistributedTensor[[16, 16], pl.FP32] = pld.tensor.window(b_in, [16, 16], dtype=pl.FP32)
dst: pld.DistributedTensor[[16, 16], pl.FP32] = pld.tensor.window(b_out, [16, 16], dtype=pl.FP32)
sig: pld.DistributedTensor[[8, 1], pl.INT32] = pld.tensor.window(b_sig, [8, 1], dtype=pl.INT32)
send: pld.DistributedTensor[[8, 1], pl.INT32] = pld.tensor.window(b_send, [8, 1], dtype=pl.INT32)
recv: pld.DistributedTensor[[8, 1], pl.INT32] = pld.tensor.window(b_recv, [8, 1], dtype=pl.INT32)
self.block(src, device=0)
self.block(dst, device=0)
self.cells(send, device=0)
while n > 0:
    if n > 1:
        y = pld.tensor.all_to_all_v(src, dst, sig, send, recv)
