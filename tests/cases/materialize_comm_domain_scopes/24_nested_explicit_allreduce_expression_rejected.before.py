# test: frame=host passes=SynthesizeAllReduceSignals,MaterializeCommDomainScopes
# pypto-facts 4.4
# 24 nested_explicit_allreduce_expression_rejected
buf = pld.alloc_window_buffer(1024)
sig = pld.alloc_window_buffer(32)
w = pld.window(buf, [256], dtype=pl.FP32)
s = pld.window(sig, [8, 1], dtype=pl.INT32)
self.chip(pld.tensor.allreduce(w, s, op=0), device=0)
