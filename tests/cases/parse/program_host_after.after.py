# pypto.program: HostAfter
import pypto.language as pl
import pypto.language.distributed as pld
T_DYN = pl.dynamic("T_DYN")
@pl.program
class HostAfter:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def publish(inp__ssa_v0: pl.Tensor[[T_DYN, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)], win__ssa_v0: pl.InOut[pld.DistributedTensor[[T_DYN, 64], pl.FP32]], sig__ssa_v0: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]], peer__ssa_v0: pl.Scalar[pl.INT32]):
        t__tile: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(inp__ssa_v0, [0, 0], [1, 64], [1, 64], target_memory=pl.Mem.Vec)
        win__ssa_v1: pld.DistributedTensor[[T_DYN, 64], pl.FP32] = pl.tile.store(t__tile, [0, 0], win__ssa_v0)
        pld.system.notify(sig__ssa_v0, peer__ssa_v0, [peer__ssa_v0, 0], 1, op=0)
        return
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def consume(win__ssa_v0: pld.DistributedTensor[[T_DYN, 64], pl.FP32], sig__ssa_v0: pld.DistributedTensor[[NR, 1], pl.INT32], out__ssa_v0: pl.Out[pl.Tensor[[T_DYN, 64], pl.FP32]], me__ssa_v0: pl.Scalar[pl.INT32]) -> pl.Tensor[[T_DYN, 64], pl.FP32]:
        for i__idx_v0 in pl.range(2):
            if i__idx_v0 != pl.cast(me__ssa_v0, pl.INDEX):
                pld.system.wait(sig__ssa_v0, [i__idx_v0, 0], pl.cast(1, pl.INT32), cmp=1)
        t__tile: pl.Tile[[1, 64], pl.FP32] = pld.tile.remote_load(win__ssa_v0, me__ssa_v0, [0, 0], [1, 64])
        out__ssa_v1: pl.Tensor[[T_DYN, 64], pl.FP32] = pl.tile.store(t__tile, [0, 0], out__ssa_v0)
        return out__ssa_v1
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip_orch(self, inp__ssa_v0: pl.Tensor[[T_DYN, 64], pl.FP32], win__ssa_v0: pl.InOut[pld.DistributedTensor[[T_DYN, 64], pl.FP32]], sig__ssa_v0: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]], out__ssa_v0: pl.Out[pl.Tensor[[T_DYN, 64], pl.FP32]], peer__ssa_v0: pl.Scalar[pl.INT32]) -> pl.Tensor[[T_DYN, 64], pl.FP32]:
        self.publish(inp__ssa_v0, win__ssa_v0, sig__ssa_v0, peer__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout, pl.adir.inout, pl.adir.scalar]})
        out__ssa_v1: pl.Tensor[[T_DYN, 64], pl.FP32] = self.consume(win__ssa_v0, sig__ssa_v0, out__ssa_v0, peer__ssa_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.input, pl.adir.output_existing, pl.adir.scalar]})
        return out__ssa_v1
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host_orch(self, x__ssa_v0: pl.Tensor[[2, T_DYN, 64], pl.FP32], y__ssa_v0: pl.Out[pl.Tensor[[2, T_DYN, 64], pl.FP32]]):
        with pl._dump.comm_domain(name='comm_d0', devices=[], slots=[pl._dump.window_buffer("buf__ssa_v0_window", base="buf__ssa_v0", size=T_DYN * 64 * 4, load_from_host=False, store_to_host=False), pl._dump.window_buffer("sig_buf__ssa_v0_window", base="sig_buf__ssa_v0", size=world_size__ssa_v0 * 4, load_from_host=False, store_to_host=False)]):
            world_size__ssa_v0: pl.Scalar[pl.INT64] = pld.system.world_size()
            buf__ssa_v0: pl.Ptr = pld.tensor.alloc_window_buffer(T_DYN * 64 * 4)
            sig_buf__ssa_v0: pl.Ptr = pld.tensor.alloc_window_buffer(world_size__ssa_v0 * 4)
            for rank__idx_v0 in pl.range(world_size__ssa_v0, attrs={"group_dispatch": True}):
                win__ssa_v0: pld.DistributedTensor[[T_DYN, 64], pl.FP32, pl._dump.window_ref("buf__ssa_v0_window")] = pl._dump.call('pld.tensor.window', [buf__ssa_v0, [T_DYN, 64]], pld.DistributedTensor[[T_DYN, 64], pl.FP32, pl._dump.window_ref("buf__ssa_v0_window")], kwargs={"dtype": pl.FP32})
                sig__ssa_v0: pld.DistributedTensor[[NR, 1], pl.INT32, pl._dump.window_ref("sig_buf__ssa_v0_window")] = pl._dump.call('pld.tensor.window', [sig_buf__ssa_v0, [NR, 1]], pld.DistributedTensor[[NR, 1], pl.INT32, pl._dump.window_ref("sig_buf__ssa_v0_window")], kwargs={"dtype": pl.INT32})
                inp__ssa_v0: pl.Tensor[[T_DYN, 64], pl.FP32, pl.MemRef("mem_ddr_0", rank__idx_v0 * (T_DYN * 64) * 4, 0)] = pl.tensor.slice(x__ssa_v0, [1, T_DYN, 64], [rank__idx_v0, 0, 0], [], [0])
                out__ssa_v0: pl.Tensor[[T_DYN, 64], pl.FP32] = pl.tensor.slice(y__ssa_v0, [1, T_DYN, 64], [rank__idx_v0, 0, 0], [], [0])
                self.chip_orch(inp__ssa_v0, win__ssa_v0, sig__ssa_v0, out__ssa_v0, (rank__idx_v0 + 1) % world_size__ssa_v0, device=rank__idx_v0, attrs={"arg_directions": [pl.adir.input, pl.adir.inout, pl.adir.inout, pl.adir.output_existing, pl.adir.scalar]})
            return
