# An attribute lists variables or directions of arguments (pypto-front-facts 2.1).
import pypto.language as pl
@pl.program
class Attributes:
    @pl.function(attrs={"tile_sizes": [16, 32]})
    def main(self, x: pl.Tensor[[64], pl.FP32]):
        pass
