# test: frame=lanes ranks=1 cores=1 passes=none
# lanes and blocks have a core each where a host program launches them (pypto-ops-facts 3)
# a Group of one function is that function
    @pl.function(type=pl.FunctionType.Group)
    def pair(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        self.vec(y)
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        self.pair(x, y)
