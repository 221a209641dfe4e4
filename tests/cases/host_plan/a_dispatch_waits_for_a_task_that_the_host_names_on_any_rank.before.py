# test: frame=host_plan ranks=2
# a dispatch waits for a task that the host names, on any rank
    def main(self, x: pl.Tensor[[2, 1, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 1, 8], pl.INT32]]):
        out, first = pl.submit(self.through, x[0], y[0], device=0)
        more, second = pl.submit(self.through, x[1], y[1], deps=[first], device=1)
