# test: frame=lanes ranks=1 cores=1 passes=none
# what runs at once (pypto-ops-facts 3)
# a function of no lane
    @pl.function(type=pl.FunctionType.Group)
    def pair(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        self.vec(x)
        self.k(y)
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        self.pair(x, y)
