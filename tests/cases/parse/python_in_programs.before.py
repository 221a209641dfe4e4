# Python of the language's own: math, comprehensions in deps=, letters beyond ASCII in names; the body of a worker on the
# host is Python (pypto-front-facts 1.1, 1.4, 2.1)
import math
import pypto.language as pl
K = 4
D = math.sqrt(64.0) // 2
SKIP = [0, 2]
@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
    def verify(f: pl.Tensor[[64], pl.FP32]):
        """Doc"""
        import torch
        assert torch.allclose(f, 3), f"bad {f:.3f}"

    @pl.function(type=pl.FunctionType.InCore)
    def consumer(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        café = pl.load(x, [0], [64])
        t = pl.maximum(café, -math.inf)
        u = pl.mul(t, math.pi / 2)
        return x
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        with pl.manual_scope():
            tids = pl.array.create(K, pl.TASK_ID)
            for n in pl.parallel(K):
                a, t = pl.submit(self.consumer, x)
                tids[n] = t
            b, _ = pl.submit(self.consumer, x, deps=[tids[k] for k in range(K) if k not in SKIP])
            c, _ = pl.submit(self.consumer, x, deps=[tids[k] for k in SKIP])
        return c
