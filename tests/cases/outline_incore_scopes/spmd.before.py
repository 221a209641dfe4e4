# test: passes=ConvertToSSA,OutlineIncoreScopes
# The body of a loop over pl.spmd is a kernel that asks for its block, in a launch that stays a scope: the hint names
# the kernel, with _spmd the launch. So it is with pl.spmd around what asks for its block; its optimizations are the
# kernel's. A launch of one call stays as it is.
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
        with pl.spmd(4, optimizations=[pl.split(pl.SplitMode.UP_DOWN, slot_num=4)]):
            i = pl.tile.get_block_idx()
            t = pl.load(x, [i * 16], [16])
            o = pl.store(t, [i * 16], o)
        with pl.spmd(4):
            o = self.copy(x, o)
        return o
