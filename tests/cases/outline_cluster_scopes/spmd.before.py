# test: passes=ConvertToSSA,OutlineIncoreScopes,OutlineClusterScopes
# A pl.spmd by itself becomes an Spmd function, which returns its parameter; the number of blocks stands at the call, of a
# task as a keyword of the launch.
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def copy(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        i = pl.tile.get_block_idx()
        t = pl.load(x, [i * 16], [16])
        o = pl.store(t, [i * 16], o)
        return o

    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
        for i in pl.spmd(4, name_hint="blocks"):
            t = pl.load(x, [i * 16], [16])
            o = pl.store(t, [i * 16], o)
        with pl.spmd(2) as task:
            o = self.copy(x, o)
        with pl.spmd(2, deps=[task], sync_start=True) as last:
            o = self.copy(x, o)
        return o
