# its body is C++
@pl.jit.extern(core_type="aic", source="c.cpp")
def pa(a: pl.Tensor[[4], pl.FP16]):
    pass


@pl.jit
def entry(a: pl.Tensor[[4], pl.FP16]):
    pa(a)
