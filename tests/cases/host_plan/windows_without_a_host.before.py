# test: ranks=2 arg=peer=1-rank
# The windows of an orchestrator of the chip that no host dispatches are those of one domain of all ranks; its scalars may
# differ from rank to rank.
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, win: pl.InOut[pld.DistributedTensor[[1, 8], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]], peer: pl.Scalar[pl.INT32], x: pl.Tensor[[1, 8], pl.FP32]):
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="send"):
            t = pl.load(x, [0, 0], [1, 8])
            pld.tile.remote_store(t, win, peer, [0, 0])
            pld.system.notify(sig, peer, [0, 0], 1, op=pld.NotifyOp.Set)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="receive"):
            pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)
