# a worker of the host is left alone
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:

    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
    def w(self, x: pl.Tensor[[4, 16], pl.FP32]):
        pl.test.use(x)
    @pl.function(level=pl.Level.CHIP, role=pl.Role.SubWorker)
    def v(self, x: pl.Tensor[[4, 16], pl.FP32]):
        pl.test.use(x)
