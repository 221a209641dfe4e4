# ---- program alone
import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def step(x: pl.Tensor[[16], pl.FP32]) -> pl.Tensor[[16], pl.FP32]:
    return x
@pl.function(type=pl.FunctionType.Orchestration)
def alone(x: pl.Tensor[[16], pl.FP32]):
    step(x)
# ---- program one
import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def step(x: pl.Tensor[[16], pl.FP32]) -> pl.Tensor[[16], pl.FP32]:
    return x
@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: pl.Tensor[[16], pl.FP32]):
    step(x)
@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def one(x: pl.Tensor[[16], pl.FP32]):
    buf: pl.Ptr = pld.tensor.alloc_window_buffer(64)
    chip(x, device=0)
# ---- program two
import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def step(x: pl.Tensor[[16], pl.FP32]) -> pl.Tensor[[16], pl.FP32]:
    return x
@pl.function(type=pl.FunctionType.Orchestration)
def chip(x: pl.Tensor[[16], pl.FP32]):
    step(x)
@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def two(x: pl.Tensor[[16], pl.FP32]):
    buf: pl.Ptr = pld.tensor.alloc_window_buffer(128)
    chip(x, device=1)
