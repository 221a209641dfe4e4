/* SPDX-License-Identifier: MIT */
/* How elements of memory are named. */
#include "isa/program.h"
#include "tests/support.h"

static const int64_t two_by_sixteen[] = {2, 16}, cube[] = {2, 3, 4}, line[] = {8};

static const struct region regions[] = {
    {.name = "a", .offset = 0, .size = 128, .elem = ELEM_I32, .ndims = 2, .shape = two_by_sixteen},
    {.name = "b", .offset = 128, .size = 48, .elem = ELEM_F16, .ndims = 3, .shape = cube},
    {.name = "c", .offset = 192, .size = 32, .elem = ELEM_F32, .ndims = 1, .shape = line},
    {.name = "d", .offset = 256, .size = 40, .elem = ELEM_I64},
};

static const struct {
    int region, rank;
    int64_t bytes; /* from its first element */
    const char *element, *index;
} rows[] = {
    {0, 0, 0, "a[0]@0", "index [0, 0] of a, whose extent is [2, 16]"},
    {0, 1, 68, "a[17]@1", "index [1, 1] of a, whose extent is [2, 16]"},
    {0, 1, 128, "a[32]@1", "index [2, 0] of a, whose extent is [2, 16]"},
    {0, 0, -64, "a[-16]@0", "index [-1, 0] of a, whose extent is [2, 16]"},
    {0, 1, -4, "a[-1]@1", "index [-1, 15] of a, whose extent is [2, 16]"},
    {0, 1, -1, "a[-1]@1", "index [-1, 15] of a, whose extent is [2, 16]"},
    {1, 0, 46, "b[23]@0", "index [1, 2, 3] of b, whose extent is [2, 3, 4]"},
    {1, 0, 48, "b[24]@0", "index [2, 0, 0] of b, whose extent is [2, 3, 4]"},
    {1, 2, -2, "b[-1]@2", "index [-1, 2, 3] of b, whose extent is [2, 3, 4]"},
    {2, 0, 32, "c[8]@0", "index 8 of c, whose extent is 8"},
    {2, 0, -4, "c[-1]@0", "index -1 of c, whose extent is 8"},
    {3, 63, 40, "d[5]@63", "index 5 of d, whose extent is 5"},
};

Test(program, elements)
{
    struct arena a = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct region *g = &regions[rows[i].region];
        uint64_t addr = gm_addr(rows[i].rank, g->offset) + (uint64_t)rows[i].bytes;
        expect_text(g->name, program_element(g, addr, &a), rows[i].element);
        expect_text(g->name, program_index(g, addr, &a), rows[i].index);
    }
    arena_free(&a);
}

static const struct {
    uint64_t from, to;
    const char *text;
} spans[] = {
    {0, 0, "a[0]@1"},     {0, 4, "a[0]@1"},        {0, 64, "a[0..15]@1"}, {60, 68, "a[15..16]@1"},
    {130, 131, "b[1]@1"}, {130, 134, "b[1..2]@1"}, {248, 252, "0xf8@1"},
};

Test(program, words)
{
    struct arena a = {0};
    struct region copy[sizeof regions / sizeof *regions];
    memcpy(copy, regions, sizeof regions);
    struct program p = {.regions = copy, .nregions = sizeof regions / sizeof *regions};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        expect_text(spans[i].text,
                    program_words(&p, gm_addr(1, spans[i].from), gm_addr(1, spans[i].to), &a),
                    spans[i].text);
    arena_free(&a);
}
