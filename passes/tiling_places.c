/* SPDX-License-Identifier: MIT */
/* ConvertTensorToTileOps: gathering and scattering by index. */
#include "passes/tiling.h"

const struct tile_form tiling_places[] = {
    {0},
};
