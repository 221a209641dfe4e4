# test: frame=host_plan ranks=2
# data that would have to move between ranks
    def main(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]], z: pl.Out[pl.Tensor[[1, 8], pl.INT32]]):
        self.through(x, y, device=0)
        self.through(y, z, device=1)
