# pypto.program: CommDomainsLegacy
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class CommDomainsLegacy:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def numbered(self):
        with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("buf_window", base="buf", size=16, load_from_host=False, store_to_host=False)]):
            buf: pl.Ptr = pld.tensor.alloc_window_buffer(16)
            w: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref("buf_window")] = pl._dump.call('pld.tensor.window', [buf, [4]], pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref("buf_window")], kwargs={"dtype": pl.FP32})
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def marked(self):
        data: pl.Ptr = pld.tensor.alloc_window_buffer(16)
        w: pld.DistributedTensor[[4], pl.FP32] = pld.tensor.window(data, [4], dtype=pl.FP32)
