# test: frame=lanes ranks=1 cores=1 passes=none
# what runs at once (pypto-ops-facts 3)
# too many lanes
    @pl.function(type=pl.FunctionType.Group)
    def pair(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        self.cube(x)
        self.vec(y)
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        t = pl.spmd_submit(self.pair, x, y, core_num=40)
