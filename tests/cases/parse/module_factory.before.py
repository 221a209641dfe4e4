# what of a file is program, and what of the Python around it is passed over
# factory
def build(n: int, mode: str = "mesh", *, deep=False):
    """Doc."""
    if n % 2:
        raise ValueError(f"odd {n}")
    N = 4
    @pl.program
    class K:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
            return x
    return K
