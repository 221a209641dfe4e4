# what belongs to the program is held to its language, wherever it stands
# unknown decorator of the language
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return x
@pl.functon
def f():
    pass
