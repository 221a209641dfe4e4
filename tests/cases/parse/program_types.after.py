# pypto.program: Types
import pypto.language as pl
import pypto.language.distributed as pld
M = pl.dynamic("M")
@pl.program
class Types:
    @pl.function
    def all_types(self, s: pl.Scalar[pl.INT4], t: pl.Tensor[[M, 128], pl.BF16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 0)], v: pl.Tensor[[rows, 64], pl.FP16, pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.ND)], d: pld.DistributedTensor[[rows * 2, cols // 2], pl.INT32, pl.MemRef("mem_ddr_1", rows * 64, 0)], tile: pl.Tile[[16, 16], pl.FP32, pl.MemRef("mem_vec_0", pl.const(0, pl.INT64), 1024), pl.Mem.Vec, pl.TileView(valid_shape=[rows, 4], stride=[16, 1], start_offset=pl.const(0, pl.INT64), blayout=pl.TileLayout.col_major, pad=pl.PadValue.min)], p: pl.Ptr, ctx: pld.CommCtx, w: pld.WindowBufferType, m: pl.MemRefType, u: pl.UnknownType, tasks: pl.Array[4, pl.TASK_ID], event: pld.AsyncEvent, q: pl.InOut[pl.Quant[[4, 4], "per channel", {"a":1}]]) -> tuple[pl.Scalar[pl.TASK_ID], pl.Tensor[[M + rows, pl.min(cols, 8)], pl.HF8]]:
        mem: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 65536)
        x: pl.Tile[[16, 16], pl.FP32, pl.MemRef(mem, pl.cast(s, pl.INDEX) * 64 + pl.const(1, pl.INT64), 1024), pl.Mem.Vec] = pl.tile.opaque(tile)
        y: pl.Tile[[M, rows], pl.FP4] = pl.tile.opaque(x)
        pair: pl.Tuple[pl.Scalar[pl.UINT8], pl.Tuple[()]] = pl.tile.opaque(y)
        z: pl.Scalar[pl.UINT8] = pair[0]
        flag: pl.Scalar[pl.BOOL] = 0 <= pl.cast(z, pl.INDEX) and not M != 128 or True ^ False
        tiny: pl.Scalar[pl.FP32] = 9.9999999999999995e-07
        nan: pl.Scalar[pl.FP16] = pl.const(pl._dump.float64("7ff8000000000012"), pl.FP16)
        bits: pl.Scalar[pl.BOOL] = pl._dump.logical_xor(M, rows)
        mixed: pl.Scalar[pl.INDEX] = -M ** 2 + abs(rows) - ~M * 256 // 3 % 5 & 7 | pl.max(M, rows) >> 1
        ratio: pl.Scalar[pl.FP32] = pl.cast(M, pl.FP32) / 2.5
        return pl.array.get_element(tasks, 0), t
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE)
    def one_tuple(self, a: pl.Scalar[pl.INT32]) -> tuple[pl.Scalar[pl.INT32]]:
        b: pl.Tuple[pl.Scalar[pl.INT32]] = (a,)
        empty: pl.Tuple[()] = ()
        return b
