# each jit host is a program, with what it reaches (pypto-front-facts 1.2): both may use one window name
# an orchestration that no host calls is one as well; what nobody reaches is none
SIZE = 16
@pl.jit.incore
def step(x: pl.Tensor[[SIZE], pl.FP32]):
    return x
@pl.jit.incore
def unused(x: pl.Tensor[[SIZE], pl.FP32]):
    return x
@pl.jit
def chip(x: pl.Tensor[[SIZE], pl.FP32]):
    step(x)
@pl.jit
def alone(x: pl.Tensor[[SIZE], pl.FP32]):
    step(x)
@pl.jit.host
def one(x: pl.Tensor[[SIZE], pl.FP32]):
    buf = pld.alloc_window_buffer(64)
    chip(x, device=0)
@pl.jit.host
def two(x: pl.Tensor[[SIZE], pl.FP32]):
    buf = pld.alloc_window_buffer(128)
    chip(x, device=1)
