# what of a file is program, and what of the Python around it is passed over
# a bare function with a kernel's header
@pl.function
def f(x: pl.Ptr):
    return x
def g(x: pl.Ptr):
    return x
def h(x):
    return x
