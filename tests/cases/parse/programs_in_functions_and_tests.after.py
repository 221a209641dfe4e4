# ---- program First
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class First:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[2, 8], pl.FP32]):
        return
# ---- program build.Prog
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Prog:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[3, 4], pl.FP32]):
        return
# ---- program TestA.test_b.Before
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Before:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[3, 5], pl.FP32]):
        return
# ---- program TestA.test_b.Expected
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Expected:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[3, 6], pl.FP32]):
        return
# ---- program TestA.test_b.Before@2
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Before:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[3, 7], pl.FP32]):
        return
