# test: frame=host_plan ranks=1 cores=2
# parts that do not overlap do not wait for each other
    def main(self, x: pl.Tensor[[2, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 8], pl.INT32]]):
        self.apart(x, y, device=0)
        self.apart(x, y, device=0)
