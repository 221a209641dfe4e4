# test: passes=ConvertToSSA,OutlineHierarchyScopes
# Left alone: core scopes, and functions that are not Opaque.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def core(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            y = pl.add(x, x)
        return y

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.CHIP):
            y = pl.add(x, x)
        return y
