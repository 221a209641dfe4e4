/* SPDX-License-Identifier: MIT */
/* random_litmus N DIR: writes the random litmus tests of seeds 1 to N, DIR/RND-SEED.litmus. */
#include "tests/litmus/random_litmus.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct arena a = {0};
    for (int seed = 1; argc == 3 && seed <= atoi(argv[1]); seed++) {
        FILE *f = fopen(arena_printf(&a, "%s/RND-%d.litmus", argv[2], seed), "w");
        if (!f || fputs(random_litmus(&a, (uint64_t)seed), f) < 0 || fclose(f))
            return 2;
    }
    arena_free(&a);
    return argc == 3 ? 0 : 2;
}
