# what of a file is program, and what of the Python around it is passed over
# statements
N = 4
print(N)
assert N == 4, "four"
x.y = 3
x[0] = 2
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return x
for i in range(3):
    N += i
with open("f") as f:
    pass
