import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.Group)
def pa(a: pl.Tensor[[4], pl.FP16], out: pl.Out[pl.Tensor[[4], pl.FP16]]) -> pl.Tensor[[4], pl.FP16]:
    """In C++."""
    _r: pl.Tensor[[4], pl.FP16] = pa_aic(a, out)
    pa_aiv(a, out)
    return _r
@pl.function(type=pl.FunctionType.Orchestration)
def entry(a: pl.Tensor[[4], pl.FP16], out: pl.Out[pl.Tensor[[4], pl.FP16]]) -> pl.Tensor[[4], pl.FP16]:
    out = pa(a, out)
    return out
@pl.function(type=pl.FunctionType.AIC, external_source='c.cpp')
def pa_aic(a: pl.Tensor[[4], pl.FP16], out: pl.Out[pl.Tensor[[4], pl.FP16]]) -> pl.Tensor[[4], pl.FP16]:
    ...
@pl.function(type=pl.FunctionType.AIV, external_source='v.cpp')
def pa_aiv(a: pl.Tensor[[4], pl.FP16], out: pl.Out[pl.Tensor[[4], pl.FP16]]) -> pl.Tensor[[4], pl.FP16]:
    pl.func_attr({"dual_aiv_dispatch": True})
    ...
