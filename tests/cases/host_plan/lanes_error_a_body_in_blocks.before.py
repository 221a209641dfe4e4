# test: frame=lanes ranks=1 cores=1 passes=none
# what runs at once (pypto-ops-facts 3)
# a body in blocks
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        for i in pl.spmd(2):
            self.k(x)
