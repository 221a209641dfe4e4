# test: ranks=8
# a parameter that counts ranks by its name is their number
def build(n_ranks):
    n = n_ranks * 2
    @pl.program
    class Prog:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[[n, 8], pl.FP32]):
            return x
