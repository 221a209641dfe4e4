import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def last(self, x: pl.Tensor[[2, 4, 32], pl.FP16], i: pl.Tensor[[2, 4, 8], pl.INT32], ret0__out: pl.Out[pl.Tensor[[2, 4, 8], pl.FP16]]) -> pl.Tensor[[2, 4, 8], pl.FP16]:
        gather_outer_acc_init: pl.Tile[[2, 32], pl.FP16, pl.Mem.Vec] = pl.tile.create([2, 32], dtype=pl.FP16, target_memory=pl.Mem.Vec)
        for gather_outer_lv, (gather_outer_ia,) in pl.range(2, init_values=(gather_outer_acc_init,)):
            gather_inner_acc_init: pl.Tile[[4, 8], pl.FP16, pl.Mem.Vec] = pl.tile.create([4, 8], dtype=pl.FP16, target_memory=pl.Mem.Vec)
            for gather_inner_lv, (gather_inner_ia,) in pl.range(4, init_values=(gather_inner_acc_init,)):
                gather_inp_raw: pl.Tile[[1, 1, 32], pl.FP16, pl.Mem.Vec] = pl.tile.load(x, [gather_outer_lv, gather_inner_lv, 0], [1, 1, 32], [1, 1, 32], target_memory=pl.Mem.Vec)
                gather_inp_row: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec] = pl.tile.reshape(gather_inp_raw, [1, 32])
                gather_idx_raw: pl.Tile[[1, 1, 8], pl.INT32, pl.Mem.Vec] = pl.tile.load(i, [gather_outer_lv, gather_inner_lv, 0], [1, 1, 8], [1, 1, 8], target_memory=pl.Mem.Vec)
                gather_idx_row: pl.Tile[[1, 8], pl.INT32, pl.Mem.Vec] = pl.tile.reshape(gather_idx_raw, [1, 8])
                gather_row_tmp: pl.Tile[[1, 8], pl.INT32, pl.Mem.Vec] = pl.tile.create([1, 8], dtype=pl.INT32, target_memory=pl.Mem.Vec)
                gather_row: pl.Tile[[1, 8], pl.FP16, pl.Mem.Vec] = pl.tile.gather(gather_inp_row, gather_idx_row, gather_row_tmp)
                gather_inner_asmbl: pl.Tile[[4, 8], pl.FP16, pl.Mem.Vec] = pl.tile.assemble(gather_inner_ia, gather_row, [gather_inner_lv, 0])
                gather_inner_rv: pl.Tile[[4, 8], pl.FP16, pl.Mem.Vec] = pl.yield_(gather_inner_asmbl)
            gather_inner_flat: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec] = pl.tile.reshape(gather_inner_rv, [1, 32])
            gather_outer_asmbl: pl.Tile[[2, 32], pl.FP16, pl.Mem.Vec] = pl.tile.assemble(gather_outer_ia, gather_inner_flat, [gather_outer_lv, 0])
            gather_outer_rv: pl.Tile[[2, 32], pl.FP16, pl.Mem.Vec] = pl.yield_(gather_outer_asmbl)
        gather_out: pl.Tile[[8, 8], pl.FP16, pl.Mem.Vec] = pl.tile.reshape(gather_outer_rv, [8, 8])
        g__tile: pl.Tile[[8, 8], pl.FP16, pl.Mem.Vec] = gather_out
        ret0__store: pl.Tensor[[2, 4, 8], pl.FP16] = pl.tile.store(g__tile, [0, 0, 0], ret0__out)
        return ret0__store
    @pl.function(type=pl.FunctionType.InCore)
    def rows(self, x: pl.Tensor[[2, 8, 16], pl.FP32], i: pl.Tensor[[2, 4, 16], pl.INT32], ret0__out: pl.Out[pl.Tensor[[2, 4, 16], pl.FP32]]) -> pl.Tensor[[2, 4, 16], pl.FP32]:
        gather_range: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.ci(pl.const(0, pl.INT32), [1, 16], dtype=pl.INT32)
        gather_main_acc_init: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.create([8, 16], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        for gather_main_lv, (gather_main_ia,) in pl.range(8, init_values=(gather_main_acc_init,)):
            gather_inp_raw: pl.Tile[[1, 8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [gather_main_lv // 4, 0, 0], [1, 8, 16], [1, 8, 16], target_memory=pl.Mem.Vec)
            gather_inp_2d: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(gather_inp_raw, [8, 16])
            gather_inp_flat: pl.Tile[[1, 128], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(gather_inp_2d, [1, 128])
            gather_idx_raw: pl.Tile[[1, 1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.load(i, [gather_main_lv // 4, gather_main_lv % 4, 0], [1, 1, 16], [1, 1, 16], target_memory=pl.Mem.Vec)
            gather_idx_row: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.reshape(gather_idx_raw, [1, 16])
            gather_idx_s: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.muls(gather_idx_row, pl.const(16, pl.INT32))
            gather_fidx: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.add(gather_idx_s, gather_range)
            gather_row_tmp: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.create([1, 16], dtype=pl.INT32, target_memory=pl.Mem.Vec)
            gather_row: pl.Tile[[1, 16], pl.FP32, pl.Mem.Vec] = pl.tile.gather(gather_inp_flat, gather_fidx, gather_row_tmp)
            gather_main_asmbl: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.assemble(gather_main_ia, gather_row, [gather_main_lv, 0])
            gather_main_rv: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.yield_(gather_main_asmbl)
        gather_out: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(gather_main_rv, [8, 16])
        g__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = gather_out
        ret0__store: pl.Tensor[[2, 4, 16], pl.FP32] = pl.tile.store(g__tile, [0, 0, 0], ret0__out)
        return ret0__store
