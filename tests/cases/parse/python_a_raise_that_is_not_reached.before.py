# test: arg=n=4
# a factory takes its parameters
def build(n):
    if n % 2 != 0:
        raise ValueError("even")
    @pl.program
    class Prog:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[[n, 8], pl.FP32]):
            return x
