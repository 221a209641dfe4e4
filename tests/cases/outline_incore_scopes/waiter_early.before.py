# Its task is complete when its conditions hold, so that nothing resolves it early.
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, sig: pld.DistributedTensor[[4, 1], pl.INT32]):
        with pl.at(level=pl.Level.CORE_GROUP, allow_early_resolve=True) as task:
            pld.system.defer_wait(sig, offsets=[0, 0], expected=1, cmp=pld.WaitCmp.Ge)
