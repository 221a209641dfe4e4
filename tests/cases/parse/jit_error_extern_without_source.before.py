# every member needs its text
@pl.jit.extern(core_type="mixed", aic_source="c.cpp")
def pa(a: pl.Tensor[[4], pl.FP16]): ...


@pl.jit
def entry(a: pl.Tensor[[4], pl.FP16]):
    pa(a)
