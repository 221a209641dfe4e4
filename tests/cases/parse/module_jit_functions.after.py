import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def k(x: pl.Tensor[[4, 8], pl.FP32], n: pl.Scalar[pl.INT32]) -> pl.Tensor[[4, 8], pl.FP32]:
    return x
@pl.function(type=pl.FunctionType.Orchestration)
def c(x: pl.Tensor[[4, 8], pl.FP32]):
    k(x, 1)
@pl.function(auto_scope=False, level=pl.Level.HOST, role=pl.Role.Orchestrator)
def h(x: pl.Tensor[[4, 8], pl.FP32]):
    c(x)
