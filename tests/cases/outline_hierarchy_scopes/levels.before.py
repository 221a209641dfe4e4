# test: passes=ConvertToSSA,OutlineHierarchyScopes
# A scope of a level above the core becomes an Opaque function of that level and role; its name has both. In it, scopes
# begin with its name and count anew, and stand before it. The function around it stays Opaque.
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        with pl.at(level=pl.Level.HOST, role=pl.Role.Orchestrator):
            with pl.at(level=pl.Level.CHIP):
                y = pl.add(x, x)
            z = pl.mul(y, y)
        with pl.at(level=pl.Level.CLUSTER_0):
            w = pl.sub(z, x)
        with pl.at(level=pl.Level.CHIP, name_hint="last"):
            v = pl.sub(w, x)
        return v
