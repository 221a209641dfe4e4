# a dispatch in a loop
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], n: pl.Scalar[pl.INDEX], b: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]):
        return
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self):
        x_buf: pl.Ptr = pld.tensor.alloc_window_buffer(256)
        x: pld.DistributedTensor[[1, 64], pl.FP32] = pld.tensor.window(x_buf, [1, 64], dtype=pl.FP32)
        y_buf: pl.Ptr = pld.tensor.alloc_window_buffer(256)
        y: pld.DistributedTensor[[1, 64], pl.FP32] = pld.tensor.window(y_buf, [1, 64], dtype=pl.FP32)
        for r in pl.range(4):
            self.chip(x, r, y, device=r, attrs={"arg_directions": [pl.adir.inout, pl.adir.scalar, pl.adir.inout]})
