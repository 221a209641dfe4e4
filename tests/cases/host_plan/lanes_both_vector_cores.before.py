# test: frame=lanes ranks=1 cores=1 passes=none
# what runs at once (pypto-ops-facts 3)
# a function that both vector cores of a cluster run
    @pl.function(type=pl.FunctionType.AIV, attrs={"dual_aiv_dispatch": True})
    def dual(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        self.dual(x)
