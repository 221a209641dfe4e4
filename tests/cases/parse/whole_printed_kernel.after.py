# pypto.program: push
import pypto.language as pl
import pypto.language.distributed as pld
NR = pl.dynamic("NR")
@pl.program
class push:
    """One push."""
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def kernel(inp__ssa_v0: pl.Tensor[[1, 64], pl.FP32], win__ssa_v0: pl.InOut[pld.DistributedTensor[[NR, 64], pl.FP32]], win_ctx: pld.CommCtx) -> tuple[pl.Tensor[[1, 64], pl.FP32], pl.Scalar[pl.INT32]]:
        """Says \"hi\".

        Twice."""
        return
    @pl.function
    def empty():
        pass
