# test: frame=host passes=SynthesizeAllReduceSignals,MaterializeCommDomainScopes
# pypto-facts 4.4
# 17 implicit_allreduce_in_loop_rejected
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=0)
for i in pl.range(3):
    pld.tensor.allreduce(w, op=0)
