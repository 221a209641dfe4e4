# test: frame=lanes ranks=1 cores=4 passes=none
# lanes and blocks have a core each where a host program launches them (pypto-ops-facts 3)
# on the contract's cores, where there are enough
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pl.Tensor[[1, 16], pl.INT32]], y: pl.InOut[pl.Tensor[[1, 16], pl.INT32]]):
        self.k(y)
        t = pl.spmd_submit(self.k, x, core_num=2)
