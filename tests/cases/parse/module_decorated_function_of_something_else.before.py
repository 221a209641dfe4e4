# what of a file is program, and what of the Python around it is passed over
# decorated function of something else
N = 4
@pytest.fixture()
def f(tmp_path):
    yield tmp_path
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return x
