# several programs in one file: each has the names of the functions around it
# those of a module see what stands before them, those of a function what it binds before them
import pytest
N = 2
@pl.program
class First:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return
N = 3
def build():
    M = N + 1
    @pl.program
    class Prog:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[[N, M], pl.FP32]):
            return
    return Prog
class TestA:
    @pytest.mark.parametrize("k", [1, 2])
    def test_b(self, k):
        @pl.program
        class Before:
            @pl.function(type=pl.FunctionType.InCore)
            def k(self, x: pl.Tensor[[N, 5], pl.FP32]):
                return
        with pytest.raises(ValueError):
            @pl.program
            class Expected:
                @pl.function(type=pl.FunctionType.InCore)
                def k(self, x: pl.Tensor[[N, 6], pl.FP32]):
                    return
        @pl.program
        class Before:
            @pl.function(type=pl.FunctionType.InCore)
            def k(self, x: pl.Tensor[[N, 7], pl.FP32]):
                return
