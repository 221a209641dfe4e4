# as many arguments as parameters (pypto-front-facts 2.9)
@pl.inline
def f(x, y): return x
@pl.program
class P:
    @pl.function
    def main(self, a: pl.Tensor[[64], pl.FP32]):
        y = f(a)
