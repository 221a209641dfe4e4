# what of a file is program, and what of the Python around it is passed over
# tokens that are none of the language
N = 4
p = r"\d+\"" + f"{N!r:>3}" + b'\q' + '\q'
x = a ? b
z = 1j
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return x
