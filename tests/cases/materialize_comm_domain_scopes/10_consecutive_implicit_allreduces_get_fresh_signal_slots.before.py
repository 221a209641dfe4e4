# test: frame=host passes=SynthesizeAllReduceSignals,MaterializeCommDomainScopes
# pypto-facts 4.4
# 10 consecutive_implicit_allreduces_get_fresh_signal_slots
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
self.chip(w, device=0)
pld.tensor.allreduce(w, op=0)
pld.tensor.allreduce(w, op=1)
