# The kernel that mix.pto would have been compiled from: the cube hands its product to both vector cores, each of which stores
# its half of the rows.
# fencebench: ranks 1
import pypto.language as pl


@pl.program
class Mix:
    @pl.function(type=pl.FunctionType.AIC)
    def mix_aic(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        slots = pl.system.import_peer_buffer(name="mix_c2v_slot_buffer", peer_func="mix_aiv")
        pl.system.aic_initialize_pipe(slots, pl.const(0, pl.INT32), dir_mask=1, slot_size=1024)
        both = pl.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        left = pl.tile.move(both, target_memory=pl.Mem.Left)
        right = pl.tile.move(both, target_memory=pl.Mem.Right)
        product = pl.tile.matmul(left, right)
        pl.tile.tpush_to_aiv(product, split=1)

    @pl.function(type=pl.FunctionType.AIV, attrs={"split_aiv": True, "split": pl.SplitMode.UP_DOWN})
    def mix_aiv(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        lane = pl.tile.get_subblock_idx()
        slots = pl.system.reserve_buffer(name="mix_c2v_slot_buffer", size=8192)
        pl.system.aiv_initialize_pipe(slots, pl.const(0, pl.INT32), dir_mask=1, slot_size=1024)
        half: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1)
        pl.system.tfree_to_aic(half)
        pl.store(half, [lane * 8, 0], out)

    @pl.function(type=pl.FunctionType.Group)
    def mix(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        self.mix_aic(x, out)
        self.mix_aiv(x, out)
