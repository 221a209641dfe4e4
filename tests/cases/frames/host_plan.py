# Kernels, chip orchestrators that call them, and the decorator of the host's main.
import pypto.language as pl
import pypto.language.distributed as pld
NR = pl.dynamic("NR")
ROUNDS = 2
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]]):
        return
    @pl.function(type=pl.FunctionType.InCore)
    def copy(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]]) -> pl.Tensor[[1, 8], pl.INT32]:
        t = pl.load(x, [0, 0], [1, 8])
        y = pl.store(t, [0, 0], y)
        return y
    @pl.function(type=pl.FunctionType.InCore)
    def scalar(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]], n: pl.Scalar[pl.INT32]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def one(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]]):
        self.k(w)
    @pl.function(type=pl.FunctionType.Orchestration)
    def count(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]], n: pl.Scalar[pl.INT32]):
        for i in pl.range(n):
            self.scalar(w, i)
    @pl.function(type=pl.FunctionType.Orchestration)
    def numbered(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]]):
        c = pld.get_comm_ctx(w)
        self.scalar(w, pld.rank(c) + 10 * pld.nranks(c))
    @pl.function(type=pl.FunctionType.Orchestration)
    def through(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]]):
        t = pl.tensor.create([1, 8], dtype=pl.INT32)
        a = self.copy(x, t)
        b = self.copy(a, y)
        return b
    @pl.function(type=pl.FunctionType.Orchestration)
    def omits(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]]):
        a, task = pl.submit(self.copy, x)
        return self.copy(a, y)
    @pl.function(type=pl.FunctionType.Orchestration)
    def apart(self, x: pl.Tensor[[2, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 8], pl.INT32]]):
        for i in pl.range(2):
            self.copy(pl.tensor.slice(x, [1, 8], [i, 0]), pl.tensor.slice(y, [1, 8], [i, 0]))
    @pl.function(type=pl.FunctionType.Orchestration)
    def launch(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]], x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]]):
        first = pl.submit(self.k, w)
        out, second = pl.submit(self.copy, x, y, deps=[first])
        third = pl.spmd_submit(self.k, w, core_num=2)
    @pl.function(type=pl.FunctionType.Orchestration)
    def loose(self, w: pl.InOut[pld.DistributedTensor[[1, NR], pl.INT32]]):
        self.k(w)
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
