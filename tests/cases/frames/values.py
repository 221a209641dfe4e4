"""What cases of imports take from another file."""
import pypto.language as pl
from .values import ROWS  # of itself: what is bound so far, which is nothing

ROWS = 4 * 2
DTYPE = pl.FP16
DIM = pl.dynamic("DIM")
UNKNOWN = compute(ROWS)


def helper(x):
    return x


@dataclass(frozen=True)
class Config:
    """Members with and without defaults, and what is computed of them."""

    rows: int
    cols: int = 64
    name: str = "small"

    @property
    def cells(self) -> int:
        """All of them."""
        return self.rows * self.cols

    @property
    def scale(self) -> float:
        return self.cols ** -0.5

    @property
    def odd(self):
        for row in self.rows:
            return row


SMALL = Config(rows=16)
LARGE = Config(rows=32, cols=128, name="large")
