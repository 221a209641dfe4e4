import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, y: pl.Tensor[[4 * m, 8], pl.INT32], m: pl.Scalar[pl.INDEX], z: pl.Scalar[pl.INT32]):
        for j in pl.range(2):
            if pl.cast(z, pl.INDEX) > 0:
                v_inline0: pl.Tensor[[4 * m, 8], pl.INT32, pl.TensorView(stride=[8, 1], layout=pl.TensorLayout.ND)] = pl.tensor.view(y, [4 * m, 8])
                for i_inline0, (acc,) in pl.range(m, init_values=(z,)):
                    e_inline0: pl.Scalar[pl.INT32] = pl.tensor.read(v_inline0, [i_inline0, 0])
                    if e_inline0 > z:
                        r_inline0: pl.Scalar[pl.INT32] = pl.yield_(acc + e_inline0)
                    else:
                        r_inline0: pl.Scalar[pl.INT32] = pl.yield_(acc)
                    total_inline0: pl.Scalar[pl.INT32] = pl.yield_(r_inline0)
                w: pl.Scalar[pl.INT32] = total_inline0
                pl.tensor.write(y, [j, 0], w)
        return
