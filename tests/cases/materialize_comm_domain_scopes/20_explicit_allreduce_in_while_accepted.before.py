# test: frame=host passes=SynthesizeAllReduceSignals,MaterializeCommDomainScopes
# pypto-facts 4.4
# 20 explicit_allreduce_in_while_accepted
buf = pld.alloc_window_buffer(1024)
sig = pld.alloc_window_buffer(32)
w = pld.window(buf, [256], dtype=pl.FP32)
s = pld.window(sig, [8, 1], dtype=pl.INT32)
self.chip(w, device=0)
while n > 0:
    pld.tensor.allreduce(w, s, op=0)
