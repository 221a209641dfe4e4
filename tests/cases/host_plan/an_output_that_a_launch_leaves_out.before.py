# test: frame=host_plan ranks=2
# an output that a launch leaves out
    def main(self, x: pl.Tensor[[2, 1, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 1, 8], pl.INT32]]):
        for r in pl.range(pld.world_size()):
            self.omits(x[r], y[r], device=r)
