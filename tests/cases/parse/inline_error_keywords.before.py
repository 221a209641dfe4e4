# it takes no keywords (pypto-front-facts 2.9)
@pl.inline
def f(x): return x
@pl.program
class P:
    @pl.function
    def main(self, a: pl.Tensor[[64], pl.FP32]):
        y = f(x=a)
