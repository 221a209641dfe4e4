# test: frame=host_plan ranks=1
# an argument of another shape
    def main(self, x: pl.Tensor[[1, 9], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]]):
        self.through(x, y, device=0)
