# 09 implicit_signal_names_are_program_unique
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def one(self, w: pld.DistributedTensor[[256], pl.FP32]):
        pld.tensor.allreduce(w, op=0)
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def two(self, w: pld.DistributedTensor[[256], pl.FP32]):
        pld.tensor.allreduce(w, op=0)
