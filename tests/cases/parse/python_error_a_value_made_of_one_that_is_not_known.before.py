# the name that needs a value is the one to give
def build(size):
    n = size * 2
    rows = n + 1
    @pl.program
    class Prog:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[[rows, 8], pl.FP32]):
            return x
