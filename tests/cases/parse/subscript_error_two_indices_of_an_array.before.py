import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.Orchestration)
def main(t: pl.Scalar[pl.TASK_ID]):
    tids = pl.array.create(4, pl.TASK_ID)
    tids[0, 1] = t
