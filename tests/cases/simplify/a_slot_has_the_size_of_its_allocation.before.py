# windows
# a slot has the size of its allocation
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self):
        with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("buf_window", base="buf", size=bytes * 4, load_from_host=False, store_to_host=False)]):
            bytes: pl.Scalar[pl.INT64] = pl.const(64, pl.INT64)
            buf: pl.Ptr = pld.tensor.alloc_window_buffer(bytes * 4)
            w: pld.DistributedTensor[[64], pl.FP32, pl._dump.window_ref("buf_window")] = pld.tensor.window(buf, [64], dtype=pl.FP32)
