# names have letters, of any script
@pl.function
def f(x: pl.Tensor[[64], pl.FP32]):
    y → x
