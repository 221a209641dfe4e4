/* SPDX-License-Identifier: MIT */
#include "tests/passes/transform_rig.h"

Test(inline_functions, cases)
{
    expect_case_file("tests/passes/cases/inline_functions.txt", "InlineFunctions");
}
