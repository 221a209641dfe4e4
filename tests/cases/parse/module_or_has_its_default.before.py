# what of a file is program, and what of the Python around it is passed over
# or has its default
def build(N: int = 4):
    @pl.program
    class K:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
            return x
    return K
