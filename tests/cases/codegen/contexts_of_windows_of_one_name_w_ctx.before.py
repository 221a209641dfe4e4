# contexts of windows with one name, but for what the compiler put behind it, stand in the order of the windows (pypto-facts 1.6)
# w_ctx
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(w__ssa_v0: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]], w__ssa_v1: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]], v: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]], w_ctx: pld.CommCtx, w_ctx_1: pld.CommCtx, v_ctx: pld.CommCtx):
        pl.write(v, [0, 0], pld.system.rank(w_ctx))
