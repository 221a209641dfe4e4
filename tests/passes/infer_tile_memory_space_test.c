/* SPDX-License-Identifier: MIT */
/* InferTileMemorySpace, before and after; and what the compiler printed is in oracle_test.c. */
#include "tests/passes/transform_rig.h"

Test(infer_tile_memory_space, before_and_after)
{
    expect_case_file("tests/passes/cases/infer_tile_memory_space.txt", "InferTileMemorySpace");
}
