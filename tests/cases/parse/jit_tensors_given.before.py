# test: arg=a=BF16[nranks,64] ranks=4
# what is given from outside counts before what the file passes (docs/language.md)
@pl.jit
def entry(a: pl.Tensor):
    return a


entry(torch.zeros(2, 2))
