# a body in the place of its own call never ends
@pl.inline
def f(x):
    return f(x)
@pl.program
class P:
    @pl.function
    def main(self, a: pl.Tensor[[64], pl.FP32]):
        y = f(a)
