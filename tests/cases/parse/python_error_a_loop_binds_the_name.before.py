# the value that a loop leaves in a name is not computed
M = 4
for M in range(3):
    pass
@pl.program
class Prog:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[M, 8], pl.FP32]):
        return x
