# test: frame=host passes=SynthesizeAllReduceSignals,MaterializeCommDomainScopes
# pypto-facts 4.4
# 18 implicit_allreduce_in_while_loop_rejected
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=0)
while n > 0:
    y = pld.tensor.allreduce(w, op=0)
