# it gives one value (pypto-front-facts 2.9)
@pl.inline
def f(x):
    y = pl.add(x, x)
@pl.program
class P:
    @pl.function
    def main(self, a: pl.Tensor[[64], pl.FP32]):
        y = f(a)
