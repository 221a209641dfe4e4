# what of a file is program, and what of the Python around it is passed over
# a value from outside has to be given
N = len(SHAPES)
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return x
