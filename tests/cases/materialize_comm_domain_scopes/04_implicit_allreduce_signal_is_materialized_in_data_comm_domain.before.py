# test: frame=host passes=SynthesizeAllReduceSignals,MaterializeCommDomainScopes
# pypto-facts 4.4
# 04 implicit_allreduce_signal_is_materialized_in_data_comm_domain
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
for r in pl.range(pld.world_size()):
    self.chip(w, device=r)
y = pld.tensor.allreduce(w, op=0)
