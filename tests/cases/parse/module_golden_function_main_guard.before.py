# what of a file is program, and what of the Python around it is passed over
# golden function, main, guard
import torch
N = 4
@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[N, 8], pl.FP32]):
        return x
def golden(a: torch.Tensor) -> torch.Tensor:
    return a.clone()
def main():
    try:
        golden(1)
    except Exception as e:
        raise
if __name__ == "__main__":
    main()
else:
    pass
