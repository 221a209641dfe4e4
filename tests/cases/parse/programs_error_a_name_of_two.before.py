# test: program=Prog
# a name that several programs end in is no choice
def a():
    @pl.program
    class Prog:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[[1, 8], pl.FP32]):
            return
def b():
    @pl.program
    class Prog:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[[2, 8], pl.FP32]):
            return
