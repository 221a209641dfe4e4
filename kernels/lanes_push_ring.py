# Both vector cores take what the left neighbour has sent, each its half of the rows, and push it to the cube through a ring
# of two slots in memory (pypto-ops-facts 3.3): the ready flag rises when both halves are in the slot, and a slot is written
# again when the cube has given it back. Each vector core has its own signal cell, on a line of its own.
# fencebench: ranks 2,4
import pypto.language as pl
import pypto.language.distributed as pld

R = 6
NR = pl.dynamic("NR")


@pl.program
class LanesPushRing:
    @pl.function(type=pl.FunctionType.AIC)
    def cube(self, out: pl.InOut[pl.Tensor[[R * 16, 16], pl.FP32]]):
        slots = pl.system.reserve_buffer(name="ring", size=2048)
        pl.system.aic_initialize_pipe(pl.const(0, pl.INT32), slots, dir_mask=2, slot_size=1024, slot_num=2)
        for r in pl.range(R):
            both: pl.Tile[[16, 16], pl.FP32, pl.Mem.Mat] = pl.tile.tpop_from_aiv(split=1)
            left = pl.tile.move(both, target_memory=pl.Mem.Left)
            right = pl.tile.move(both, target_memory=pl.Mem.Right)
            product = pl.tile.matmul(left, right)
            pl.store(product, [r * 16, 0], out)
            pl.system.tfree_to_aiv(both)

    @pl.function(type=pl.FunctionType.AIV, attrs={"split_aiv": True, "split": pl.SplitMode.UP_DOWN})
    def vector(
        self,
        x: pl.Tensor[[R * 16, 16], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[R * 16, 16], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
    ):
        ctx = pld.system.get_comm_ctx(win)
        right = (pld.system.rank(ctx) + 1) % pld.system.nranks(ctx)
        lane = pl.tile.get_subblock_idx()
        slots = pl.system.import_peer_buffer(name="ring", peer_func="cube")
        pl.system.aiv_initialize_pipe(pl.const(0, pl.INT32), slots, dir_mask=2, slot_size=1024, slot_num=2)
        for r in pl.range(R):
            mine = pl.load(x, [r * 16 + lane * 8, 0], [8, 16])
            pld.tile.remote_store(mine, win, right, [r * 16 + lane * 8, 0])
            pld.system.notify(sig, right, [lane, 0], 1, op=pld.NotifyOp.AtomicAdd)
            pld.system.wait(sig, [lane, 0], r + 1, cmp=pld.WaitCmp.Ge)
            theirs = pl.load(win, [r * 16 + lane * 8, 0], [8, 16])
            pl.tile.tpush_to_aic(pl.add(mine, theirs), split=1)
        # the next call starts from 0
        pld.system.notify(sig, pld.system.rank(ctx), [lane, 0], -R, op=pld.NotifyOp.AtomicAdd)

    @pl.function(type=pl.FunctionType.Group)
    def lanes(
        self,
        x: pl.Tensor[[R * 16, 16], pl.FP32],
        win: pl.InOut[pld.DistributedTensor[[R * 16, 16], pl.FP32]],
        sig: pl.InOut[pld.DistributedTensor[[2, 16], pl.INT32]],
        out: pl.InOut[pl.Tensor[[R * 16, 16], pl.FP32]],
    ):
        self.cube(out)
        self.vector(x, win, sig)
