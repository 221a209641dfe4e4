# a mixed one is two members and a Group that calls the cube's, then the vector's (pypto-front-facts 1.1)
@pl.jit.extern(core_type="mixed", aic_source="c.cpp", aiv_source="v.cpp", dual_aiv_dispatch=True)
def pa(a: pl.Tensor[[4], pl.FP16], out: pl.Out[pl.Tensor[[4], pl.FP16]]) -> pl.Tensor[[4], pl.FP16]:
    """In C++."""
    ...


@pl.jit
def entry(a: pl.Tensor[[4], pl.FP16], out: pl.Out[pl.Tensor[[4], pl.FP16]]):
    out = pa(a, out)
    return out
