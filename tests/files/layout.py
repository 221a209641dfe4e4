# SPDX-License-Identifier: MIT
# fencebench: ranks 7
"""Values of the ring; a directive counts in the file that is given only."""
N_RANKS = 2
SIZE = 16
