import pypto.language as pl
import pypto.language.distributed as pld
N = pl.dynamic("N")
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[N, 8], pl.FP32], b: pl.Tensor[[N, 8], pl.FP32], o: pl.Out[pl.Tensor[[N, 8], pl.FP32]]) -> pl.Tensor[[N, 8], pl.FP32]:
        _t_: pl.Tile[[1, 8], pl.FP32] = pl.tile.load(a, [0, 0], [1, 8], [1, 8])
        for i in pl.unroll(4):
            o = pl.tile.store(_t_, [i, 0], o)
        return o
    @pl.function(type=pl.FunctionType.InCore)
    def two(self, a: pl.Tensor[[4, 8], pl.FP32], n: pl.Scalar[pl.INDEX]) -> tuple[pl.Tensor[[4, 8], pl.FP32], pl.Scalar[pl.INDEX]]:
        return a, n
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[4, 8], pl.FP32], y: pl.Tensor[[4, 8], pl.FP32], o_1: pl.Out[pl.Tensor[[4, 8], pl.FP32]]):
        o_1 = self.k(x, y, o_1, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output], "note": 'text', "times": 2})
        both: pl.Tuple[pl.Tensor[[4, 8], pl.FP32], pl.Scalar[pl.INDEX]] = self.two(x, 3)
        z: pl.Tensor[[4, 8], pl.FP32] = both[0]
