# Values and memory of every kind, for bodies.
@pl.function(type=pl.FunctionType.InCore)
def k(x: pl.Tensor[[4, 64], pl.FP32], out: pl.Out[pl.Tensor[[4, 64], pl.FP32]], win: pl.InOut[pld.DistributedTensor[[4, 64], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]], ctx: pld.CommCtx, n: pl.Scalar[pl.INT32], i: pl.Scalar[pl.INDEX], f: pl.Scalar[pl.FP32], b: pl.Scalar[pl.BOOL]):
