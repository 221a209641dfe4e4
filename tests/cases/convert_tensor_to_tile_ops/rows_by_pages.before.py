# a paged gather reads indices and pages by the scalar unit and loads a row at a time, as many as there are indices; the
# second, transposed, puts them into columns (pypto-ops-facts 1.3, the loop of the compiler's documents, pass 10)
import pypto.language as pl
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[256, 128], pl.FP16], idx: pl.Tensor[[16], pl.INT32], bt: pl.Tensor[[1, 8], pl.INT32]) -> pl.Tensor[[16, 64], pl.FP16]:
        p = pl.paged_gather(x, idx, bt, block_size=32, size=64, max_indices=16, space=pl.Mem.Vec, col_off=8)
        return p
    @pl.function(type=pl.FunctionType.InCore)
    def turned(self, x: pl.Tensor[[256, 128], pl.FP16], idx: pl.Tensor[[1, 16], pl.INT32], bt: pl.Tensor[[8], pl.INT32]) -> pl.Tensor[[64, 16], pl.FP16]:
        p = pl.paged_gather(x, idx, bt, block_size=32, size=64, max_indices=16, is_trans=True)
        return p
