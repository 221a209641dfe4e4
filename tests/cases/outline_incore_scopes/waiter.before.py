# test: passes=ConvertToSSA,OutlineIncoreScopes
# A task that registers what completes it says so; it has no results, so that nothing of what it computes leaves it, though
# nothing stands behind the scope.
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, sig: pld.DistributedTensor[[4, 1], pl.INT32], n: pl.Scalar[pl.INT32]):
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="arrived"):
            least = n + 1
            pld.system.defer_wait(sig, offsets=[0, 0], expected=least, cmp=pld.WaitCmp.Ge)
