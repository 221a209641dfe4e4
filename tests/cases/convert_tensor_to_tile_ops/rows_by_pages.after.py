import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[256, 128], pl.FP16], idx: pl.Tensor[[16], pl.INT32], bt: pl.Tensor[[1, 8], pl.INT32], ret0__out: pl.Out[pl.Tensor[[16, 64], pl.FP16]]) -> pl.Tensor[[16, 64], pl.FP16]:
        pg_rows: pl.Scalar[pl.INDEX] = pl.tensor.dim(idx, 0)
        pg_acc: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = pl.tile.create([16, 64], dtype=pl.FP16, target_memory=pl.Mem.Vec)
        for pg_lv, (pg_ia,) in pl.range(pg_rows, init_values=(pg_acc,)):
            pg_idx_raw__tile: pl.Scalar[pl.INT32] = pl.tensor.read(idx, [pg_lv])
            pg_idx: pl.Scalar[pl.INDEX] = pl.cast(pg_idx_raw__tile, pl.INDEX)
            pg_blk: pl.Scalar[pl.INDEX] = pg_idx // 32
            pg_rem: pl.Scalar[pl.INDEX] = pg_idx % 32
            pg_pblk_raw__tile: pl.Scalar[pl.INT32] = pl.tensor.read(bt, [0, pg_blk])
            pg_pblk: pl.Scalar[pl.INDEX] = pl.cast(pg_pblk_raw__tile, pl.INDEX)
            pg_phys: pl.Scalar[pl.INDEX] = pg_pblk * 32 + pg_rem
            pg_row: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = pl.tile.gather_row(pg_ia, x, [pg_lv, 0], [pg_phys, 8], [1, 64], transpose=False)
            pg_rv: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = pl.yield_(pg_row)
        p__tile: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = pg_rv
        ret0__store: pl.Tensor[[16, 64], pl.FP16] = pl.tile.store(p__tile, [0, 0], ret0__out)
        return ret0__store
    @pl.function(type=pl.FunctionType.InCore)
    def turned(self, x: pl.Tensor[[256, 128], pl.FP16], idx: pl.Tensor[[1, 16], pl.INT32], bt: pl.Tensor[[8], pl.INT32], ret0__out: pl.Out[pl.Tensor[[64, 16], pl.FP16]]) -> pl.Tensor[[64, 16], pl.FP16]:
        pg_rows: pl.Scalar[pl.INDEX] = pl.tensor.dim(idx, 1)
        pg_acc: pl.Tile[[64, 16], pl.FP16, pl.Mem.Mat] = pl.tile.create([64, 16], dtype=pl.FP16, target_memory=pl.Mem.Mat)
        for pg_lv, (pg_ia,) in pl.range(pg_rows, init_values=(pg_acc,)):
            pg_idx_raw__tile: pl.Scalar[pl.INT32] = pl.tensor.read(idx, [0, pg_lv])
            pg_idx: pl.Scalar[pl.INDEX] = pl.cast(pg_idx_raw__tile, pl.INDEX)
            pg_blk: pl.Scalar[pl.INDEX] = pg_idx // 32
            pg_rem: pl.Scalar[pl.INDEX] = pg_idx % 32
            pg_pblk_raw__tile: pl.Scalar[pl.INT32] = pl.tensor.read(bt, [pg_blk])
            pg_pblk: pl.Scalar[pl.INDEX] = pl.cast(pg_pblk_raw__tile, pl.INDEX)
            pg_phys: pl.Scalar[pl.INDEX] = pg_pblk * 32 + pg_rem
            pg_row: pl.Tile[[64, 16], pl.FP16, pl.Mem.Mat] = pl.tile.gather_row(pg_ia, x, [0, pg_lv], [pg_phys, 0], [1, 64], transpose=True)
            pg_rv: pl.Tile[[64, 16], pl.FP16, pl.Mem.Mat] = pl.yield_(pg_row)
        p__tile: pl.Tile[[64, 16], pl.FP16, pl.Mem.Mat] = pg_rv
        ret0__store: pl.Tensor[[64, 16], pl.FP16] = pl.tile.store(p__tile, [0, 0], ret0__out)
        return ret0__store
