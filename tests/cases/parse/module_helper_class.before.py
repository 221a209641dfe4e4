# what of a file is program, and what of the Python around it is passed over
# helper class
N = 4
@dataclass
class Case:
    a: int = 3
    def f(self):
        pass
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return x
