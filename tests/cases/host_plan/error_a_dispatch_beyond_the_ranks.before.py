# test: frame=host_plan ranks=2
# a dispatch beyond the ranks
    def main(self, x: pl.Tensor[[2, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 8], pl.INT32]]):
        self.apart(x, y, device=3)
