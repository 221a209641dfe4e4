# test: arg=n=3
# with these values the function does not make this program
def build(n):
    if n == 2:
        @pl.program
        class Prog:
            @pl.function(type=pl.FunctionType.InCore)
            def k(self, x: pl.Tensor[[n, 8], pl.FP32]):
                return x
