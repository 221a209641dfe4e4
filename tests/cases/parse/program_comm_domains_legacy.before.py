# pypto.program: CommDomainsLegacy
# The older spellings: numeric ids, a marker that carries no reference, and the scope as a comment.
import pypto.language as pl
import pypto.language.distributed as pld

@pl.program
class CommDomainsLegacy:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def numbered(self):
        with pl._dump.comm_domain(name="comm_d0", devices=[], slots=[pl._dump.window_buffer(0, base="buf", size=16)]):
            buf: pl.Ptr = pld.tensor.alloc_window_buffer(16)
            w: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(0)] = pld.tensor.window(buf, [4], dtype=pl.FP32)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def marked(self):
        # pld.comm_domain: devices=[0, 1], slots=[data]
        data: pl.Ptr = pld.tensor.alloc_window_buffer(16)
        w: pld.DistributedTensor[[4], pl.FP32, "window_buffer=data"] = pld.tensor.window(data, [4], dtype=pl.FP32)
