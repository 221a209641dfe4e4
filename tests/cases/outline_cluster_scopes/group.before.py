# test: passes=ConvertToSSA,OutlineClusterScopes
# A cluster becomes a Group, whose directions are those of what it calls; a pl.spmd in it is the Group's launch, and the
# number of its blocks stands at the call, over the variables of the caller.
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def copy(self, x: pl.Tensor[[64], pl.FP32], o: pl.InOut[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        i = pl.tile.get_block_idx()
        t = pl.load(x, [i * 16], [16])
        o = pl.store(t, [i * 16], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, n: pl.Scalar[pl.INDEX], x: pl.Tensor[[64], pl.FP32], o: pl.InOut[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        with pl.cluster():
            o = self.copy(x, o)
        with pl.cluster(name_hint="blocks"):
            with pl.spmd(n + 1, sync_start=True):
                o = self.copy(x, o)
        return o
