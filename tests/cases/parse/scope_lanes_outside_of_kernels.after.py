import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32]):
        for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
            t: pl.Tile[[8, 16], pl.FP32] = pl.tile.load(x, [lane * 8, 0], [8, 16], [8, 16])
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[16, 16], pl.FP32]):
        with pl.at(level=pl.Level.CORE_GROUP):
            for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                t: pl.Tile[[8, 16], pl.FP32] = pl.tile.load(x, [lane * 8, 0], [8, 16], [8, 16])
        with pl.at(level=pl.Level.CORE_GROUP):
            if pl.tile.get_block_num() > 1:
                for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                    u: pl.Tile[[8, 16], pl.FP32] = pl.tile.load(x, [lane * 8, 0], [8, 16], [8, 16])
        for block in pl.spmd(2):
            for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                v: pl.Tile[[8, 16], pl.FP32] = pl.tile.load(x, [lane * 8, 0], [8, 16], [8, 16])
        for i in pl.range(2):
            with pl.at(level=pl.Level.CORE_GROUP):
                for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                    w: pl.Tile[[16, 16], pl.FP32] = pl.tile.load(x, [0, 0], [16, 16], [16, 16])
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[16, 16], pl.FP32]):
        with pl.at(level=pl.Level.CHIP, role=pl.Role.Orchestrator):
            with pl.at(level=pl.Level.CORE_GROUP):
                for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                    t: pl.Tile[[8, 16], pl.FP32] = pl.tile.load(x, [lane * 8, 0], [8, 16], [8, 16])
