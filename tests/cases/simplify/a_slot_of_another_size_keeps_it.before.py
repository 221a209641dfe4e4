# windows
# a slot of another size keeps it
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self):
        with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("buf_window", base="buf", size=512, load_from_host=False, store_to_host=False)]):
            buf: pl.Ptr = pld.tensor.alloc_window_buffer(64 * 4)
