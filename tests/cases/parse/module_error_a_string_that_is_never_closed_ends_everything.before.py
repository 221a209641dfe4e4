# what belongs to the program is held to its language, wherever it stands
# a string that is never closed ends everything
x = "
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return x
