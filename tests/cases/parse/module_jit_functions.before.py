# what of a file is program, and what of the Python around it is passed over
# jit functions
@pl.jit.incore
def k(x: pl.Tensor[[4, 8], pl.FP32], n: pl.INT32):
    return x
@pl.jit
def c(x: pl.Tensor[[4, 8], pl.FP32]):
    k(x, 1)
@pl.jit.host(auto_scope=False)
def h(x: pl.Tensor[[4, 8], pl.FP32]):
    c(x)
def main():
    h()
