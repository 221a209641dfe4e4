# test: arg=n=rank+1
# what is given for a name of the program has to be a value that all ranks share
def build(n):
    @pl.program
    class Prog:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[[n, 8], pl.FP32]):
            return x
