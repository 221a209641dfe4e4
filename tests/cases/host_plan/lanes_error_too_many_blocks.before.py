# test: frame=lanes ranks=1 cores=1 passes=none
# what runs at once (pypto-ops-facts 3)
# too many blocks
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        with pl.spmd(65):
            self.k(x)
