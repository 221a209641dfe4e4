# test: arg=dtype=FP8E5M2
# a shape may be the name of a list, an element type that of a parameter
SHAPE = (4, 8)
def build(dtype):
    @pl.program
    class Prog:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[SHAPE, dtype]):
            t = pl.load(x, [0, 0], SHAPE)
            pl.static_print(f"{x}")
            pl.static_assert(SHAPE[0] == 4, "rows")
            a = pl.array.create(SHAPE[0] * 2, pl.INT32)
            a[1] = 5
            b = a[0]
            return x
