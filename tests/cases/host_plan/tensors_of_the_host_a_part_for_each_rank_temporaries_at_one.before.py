# test: frame=host_plan ranks=2
# tensors of the host: a part for each rank, temporaries at one place on all
    def main(self, x: pl.Tensor[[2, 1, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 1, 8], pl.INT32]]):
        for r in pl.range(pld.world_size()):
            self.through(x[r], y[r], device=r)
