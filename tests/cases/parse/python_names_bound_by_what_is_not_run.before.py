# a name that a loop, a call, an import or an unknown branch binds is not known; one that stands in
# another function of the file is none of this
from a import N
M = 4
for M in range(3):
    pass
def helper():
    K = 5
K = 6
if unknown():
    L = 1
L = 2
@pl.program
class Prog:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[K, L], pl.FP32]):
        return x
