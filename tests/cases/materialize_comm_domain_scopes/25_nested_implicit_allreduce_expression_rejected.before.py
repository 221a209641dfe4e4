# test: frame=host passes=SynthesizeAllReduceSignals,MaterializeCommDomainScopes
# pypto-facts 4.4
# 25 nested_implicit_allreduce_expression_rejected
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(pld.tensor.allreduce(w, op=0), device=0)
