# pypto.program: Launches
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Launches:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def cube(a: pl.Tensor[[64, 64], pl.BF16], c: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        return c
    @pl.function(type=pl.FunctionType.AIV)
    def vector(self, c: pl.InOut[pl.Tensor[[64, 64], pl.FP32]]):
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "dual_aiv_dispatch": True, "slot_num": 4})
        return
    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
    def callback(x: pl.Tensor[[64, 64], pl.FP32]):
        ...
    @pl.function(type=pl.FunctionType.InCore)
    def mixed(self, x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX]):
        for aiv_id in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            y: pl.Scalar[pl.INDEX] = aiv_id + n
        with pl.cluster():
            pl.system.bar_v()
        pl.tile.brand_new(x, [n, (1,)], mode='round', flag=True, attrs={"pipeline_membership": [0, 1]})
    @pl.function(type=pl.FunctionType.Group)
    def group(self, a: pl.Tensor[[64, 64], pl.BF16], c: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        c_1: pl.Tensor[[64, 64], pl.FP32] = self.cube(a, c)
        self.vector(c_1)
        return c_1
    @pl.function(type=pl.FunctionType.Spmd)
    def wide(self, a: pl.Tensor[[64, 64], pl.BF16], c: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> tuple[pl.Tensor[[64, 64], pl.FP32], pl.Scalar[pl.INT32]]:
        pl.func_attr({"core_num": 8, "sync_start": True})
        c_1: pl.Tensor[[64, 64], pl.FP32] = self.group(a, c)
        return c_1, pl.const(0, pl.INT32)
    @pl.function(type=pl.FunctionType.Graph)
    def graph(self, a: pl.Tensor[[64, 64], pl.BF16], c: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        out, tid = pl.submit(self.group, a, c)
    @pl.function(type=pl.FunctionType.Orchestration, auto_scope=False)
    def orch(self, a: pl.Tensor[[64, 64], pl.BF16], c: pl.Out[pl.Tensor[[64, 64], pl.FP32]], n: pl.Scalar[pl.INDEX], table: pl.Tensor[[4], pl.INT32]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            c_1, tid = pl.submit(self.group, a, c, deps=[], attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
            c_2, status, tid_1 = pl.spmd_submit(self.wide, a, c_1, deps=[tid], core_num=8, sync_start=True, allow_early_resolve=True)
            none = pl.submit(self.mixed, c_2, n, deps=[tid, tid_1], dumps=[c_2], predicate=pl.cast(table[0], pl.INDEX) > 0)
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.NONE, slot_num=2)], name_hint='tail', deps=[tid]) as tail:
            self.vector(c_1)
        with pl.at(level=pl.Level.CHIP, role=pl.Role.Orchestrator, deps=[tail], no_dep_args=[c_1]):
            self.vector(c_1)
        with pl.cluster(name_hint='pair'):
            self.group(a, c_1)
        with pl.spmd(4, sync_start=True):
            self.group(a, c_1)
        for lane in pl.spmd(n, name_hint='lanes'):
            y: pl.Scalar[pl.INDEX] = lane * 2
        for i, (acc,) in pl.range(0, n, 2, init_values=(c_1,)):
            with pl.scope():
                if i > 0:
                    with pl.scope():
                        acc_1: pl.Tensor[[64, 64], pl.FP32] = self.group(a, acc)
                        picked: pl.Tensor[[64, 64], pl.FP32] = pl.yield_(acc_1)
                else:
                    picked: pl.Tensor[[64, 64], pl.FP32] = pl.yield_(acc)
                total: pl.Tensor[[64, 64], pl.FP32] = pl.yield_(picked)
        for i_1 in pl.parallel(pl.const(0, pl.INT64), n, pl.const(1, pl.INT64), attrs={"unroll": 2, "name": 'p', "ok": True, "x": 0.5}):
            for j in pl.unroll(2):
                for k in pl.pipeline(n, stage=3):
                    continue
        for (left, right) in pl.while_(init_values=(n, 0)):
            pl.cond(left > right)
            left_1, right_1 = pl.yield_(left - 1, right + 1)
        while n > left_1:
            break
        return total
