# host function
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class host:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, w: pl.InOut[pld.DistributedTensor[[8], pl.FP32]]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, w: pl.InOut[pld.DistributedTensor[[8], pl.FP32]]):
        out, tid = pl.submit(self.k, w, deps=[], attrs={"arg_directions": [pl.adir.inout]})
        self.k(w)
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[2, 8], pl.FP32]):
        with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("buf_window", base="buf", size=ws * 32, load_from_host=False, store_to_host=True)]):
            ws: pl.Scalar[pl.INT64] = pld.system.world_size()
            buf: pl.Ptr = pld.tensor.alloc_window_buffer(ws * 32)
            for r in pl.range(ws):
                w: pld.DistributedTensor[[8], pl.FP32, pl._dump.window_ref("buf_window")] = pl._dump.call('pld.tensor.window', [buf, [8]], pld.DistributedTensor[[8], pl.FP32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.FP32})
                y: pl.Tensor[[8], pl.FP32] = x[r]
                self.chip(w, device=r, attrs={"arg_directions": [pl.adir.inout]})
