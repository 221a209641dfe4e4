# Rounds that stand one behind the other carry nothing (pypto-front-facts 2.6).
import pypto.language as pl
@pl.function
def main(x: pl.Tensor[[64], pl.FP32]):
    for i, (acc,) in pl.unroll(3, init_values=(x,)):
        acc = pl.yield_(acc)
