# a function in C++ for one core (pypto-front-facts 1.1)
from pathlib import Path

@pl.jit.extern(core_type="aiv", source=Path(__file__).parent / "relu.cpp", include_dirs=["a", "b"])
def relu(a: pl.Tensor, out: pl.Out[pl.Tensor]) -> pl.Tensor: ...


@pl.jit
def entry(a: pl.Tensor[[4], pl.FP32], out: pl.Out[pl.Tensor[[4], pl.FP32]]):
    out = relu(a, out)
    return out
