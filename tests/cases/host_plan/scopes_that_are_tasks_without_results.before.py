# test: ranks=1
# A scope that gives nothing back is still a task that another one names: what it gives is its task alone. In a manual scope
# nothing else orders the two.
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]], x: pl.Tensor[[1, 8], pl.FP32], o: pl.Out[pl.Tensor[[1, 8], pl.FP32]]):
        with pl.manual_scope():
            with pl.at(level=pl.Level.CORE_GROUP, name_hint="tell") as told:
                pld.system.notify(sig, 0, [0, 0], 1, op=pld.NotifyOp.Set)
            with pl.at(level=pl.Level.CORE_GROUP, name_hint="copy", deps=[told]):
                t = pl.load(x, [0, 0], [1, 8])
                pl.store(t, [0, 0], o)
