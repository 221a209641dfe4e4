# test: ranks=2
# Element i of a tensor of the host holds 5i % 7 + 1 on every rank: sizes are 1, 6, 4, 2, the rows of table 1 6 4 / 2 7 5. The
# orchestrator launches sizes[3] = 2 kernels, with an element of a row, one of the whole by its number, and of a slice.
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, w: pl.InOut[pld.DistributedTensor[[8], pl.INT32]], a: pl.Scalar[pl.INT32], b: pl.Scalar[pl.INT32], c: pl.Scalar[pl.INT32]):
        return

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, w: pl.InOut[pld.DistributedTensor[[8], pl.INT32]], sizes: pl.Tensor[[4], pl.INT32], table: pl.Tensor[[2, 3], pl.INT32]):
        n = pl.read(sizes, [3])
        for i in pl.range(n):
            part = pl.slice(table, [1, 2], [i, 1])
            self.k(w, pl.read(table, [i, 1]), pl.read(table, 5), pl.read(part, [0, 1]))

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, sizes: pl.Tensor[[4], pl.INT32], table: pl.Tensor[[2, 3], pl.INT32]):
        buf = pld.alloc_window_buffer(32)
        w = pld.window(buf, [8], dtype=pl.INT32)
        for r in pl.range(pld.world_size()):
            self.chip(w, sizes, table, device=r)
