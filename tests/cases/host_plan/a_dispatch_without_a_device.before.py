# test: frame=host_plan ranks=2
# a dispatch without a device, which the runtime places, runs on rank 0 (pypto-front-facts 2.7)
    def main(self, x: pl.Tensor[[2, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 8], pl.INT32]]):
        self.apart(x, y)
