/* SPDX-License-Identifier: MIT */
/* Arena, vectors, growing strings, random numbers. */
#include <stdalign.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "tests/support.h"

/* ---- arena ---- */

Test(arena, memory_is_zeroed_aligned_and_apart)
{
    static const size_t sizes[] = {1, 3, 8, 17, 64, 1000, 16384, 16385, 65536, 300000, 1, 40};
    enum { N = sizeof sizes / sizeof *sizes };
    struct arena a = {0};
    unsigned char *p[N];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < N; i++) {
            p[i] = arena_alloc(&a, sizes[i]);
            size_t dirty = 0;
            for (size_t k = 0; k < sizes[i]; k++)
                dirty += p[i][k] != 0;
            cr_expect(dirty == 0 && (uintptr_t)p[i] % alignof(max_align_t) == 0, "%zu bytes",
                      sizes[i]);
            memset(p[i], i + 1, sizes[i]);
        }
        for (int i = 0; i < N; i++)
            for (size_t k = 0; k < sizes[i]; k += sizes[i] / 7 + 1)
                cr_expect(p[i][k] == i + 1 && p[i][sizes[i] - 1] == i + 1, "%zu bytes", sizes[i]);
    }
    arena_free(&a);
}

/* Until its blocks are as large as they get, and behind that. */
Test(arena, many_objects_are_zeroed_and_apart)
{
    enum { OBJECTS = 12 << 10, BYTES = 1 << 10 };
    struct arena a = {0};
    for (int round = 0; round < 2; round++) {
        unsigned char **p = arena_array(&a, unsigned char *, OBJECTS);
        size_t dirty = 0, mixed = 0;
        for (int i = 0; i < OBJECTS; i++) {
            p[i] = arena_alloc(&a, BYTES);
            dirty += (uintptr_t)p[i] % alignof(max_align_t) != 0;
            for (int k = 0; k < BYTES; k++)
                dirty += p[i][k] != 0;
            memset(p[i], i % 255 + 1, BYTES);
        }
        for (int i = 0; i < OBJECTS; i++)
            mixed += p[i][0] != i % 255 + 1 || p[i][BYTES - 1] != i % 255 + 1;
        cr_expect(dirty == 0 && mixed == 0, "%zu dirty, %zu mixed", dirty, mixed);
        arena_free(&a);
    }
}

Test(arena, is_usable_again_when_freed)
{
    struct arena a = {0};
    arena_free(&a);
    arena_strdup(&a, "before");
    arena_free(&a);
    cr_expect(a.head == NULL);
    expect_text("after", arena_strdup(&a, "after"), "after");
    arena_free(&a);
}

Test(arena, an_empty_object_is_one)
{
    struct arena a = {0};
    cr_expect(arena_alloc(&a, 0) != NULL && arena_dup(&a, NULL, 0) != NULL);
    arena_free(&a);
}

Test(arena, strings)
{
    struct arena a = {0};
    int numbers[] = {1, 2, 3};
    const int *copy = arena_dup(&a, numbers, sizeof numbers);
    cr_expect(copy != numbers && !memcmp(copy, numbers, sizeof numbers));
    expect_text("strdup", arena_strdup(&a, ""), "");
    expect_text("strndup", arena_strndup(&a, "abcdef", 3), "abc");
    expect_text("printf", arena_printf(&a, "%d of %s", 3, "four"), "3 of four");
    char *wide = arena_printf(&a, "%*d", 100000, 7);
    cr_expect(strlen(wide) == 100000 && wide[99999] == '7' && wide[0] == ' ');
    arena_free(&a);
}

/* ---- vectors ---- */

Test(vec, grows_and_keeps_its_items)
{
    enum { N = 1000 };
    struct arena a = {0};
    VEC(int) v = {0};
    for (int i = 0; i < N; i++)
        vec_push(&a, &v, i * 3);
    int expected = 0, wrong = 0;
    vec_foreach (int, x, &v) {
        wrong += *x != expected;
        expected += 3;
    }
    cr_expect(v.len == N && v.cap >= v.len && wrong == 0 && expected == 3 * N);
    arena_free(&a);
}

Test(vec, takes_structs_with_commas)
{
    struct arena a = {0};
    struct pair {
        int x, y;
    };
    VEC(struct pair) v = {0};
    int seen = 0;
    vec_foreach (struct pair, p, &v) {
        seen += p->x;
    }
    vec_push(&a, &v, (struct pair){1, 2});
    cr_expect(seen == 0 && v.len == 1 && v.items[0].x == 1 && v.items[0].y == 2);
    arena_free(&a);
}

/* ---- growing strings ---- */

Test(strbuf, is_terminated_after_every_step)
{
    struct arena a = {0};
    struct strbuf b = strbuf_make(&a);
    expect_text("new", b.text, "");
    strbuf_add(&b, "one");
    expect_text("add", b.text, "one");
    strbuf_addn(&b, ", two and more", 5);
    expect_text("addn", b.text, "one, two");
    strbuf_addf(&b, ", %d%s", 3, "!");
    expect_text("addf", b.text, "one, two, 3!");
    strbuf_pad(&b, '.', 3);
    expect_text("pad", b.text, "one, two, 3!...");
    strbuf_pad(&b, '.', 0);
    strbuf_add(&b, "");
    strbuf_addn(&b, "", 0);
    cr_expect(b.len == strlen(b.text) && b.len == 15);
    arena_free(&a);
}

Test(strbuf, grows)
{
    enum { N = 3000 };
    struct arena a = {0};
    struct strbuf b = strbuf_make(&a);
    for (int i = 0; i < N; i++)
        strbuf_addf(&b, "%03d,", i % 1000);
    strbuf_pad(&b, 'x', 100000);
    strbuf_addf(&b, "%*s", 50000, "end");
    cr_expect(b.len == 4 * N + 150000 && strlen(b.text) == b.len);
    cr_expect(!strncmp(b.text, "000,001,", 8) && !strncmp(b.text + 4 * 1999, "999,000,", 8));
    cr_expect(!strcmp(b.text + b.len - 4, " end"));
    arena_free(&a);
}

/* ---- random numbers ---- */

Test(rng, equal_seeds_and_streams_give_equal_numbers)
{
    struct rng a = rng_make(7, 3), b = rng_make(7, 3);
    struct rng seed = rng_make(8, 3), stream = rng_make(7, 4), swapped = rng_make(3, 7);
    int equal = 0, by_seed = 0, by_stream = 0, by_swap = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t x = rng_u64(&a);
        equal += x == rng_u64(&b);
        by_seed += x == rng_u64(&seed);
        by_stream += x == rng_u64(&stream);
        by_swap += x == rng_u64(&swapped);
    }
    cr_expect(equal == 1000 && by_seed == 0 && by_stream == 0 && by_swap == 0);
}

Test(rng, a_generator_is_a_value)
{
    struct rng a = rng_make(1, 1);
    rng_u64(&a);
    struct rng copy = a;
    cr_expect(rng_u64(&a) == rng_u64(&copy));
}

Test(rng, below_stays_below_and_reaches_all)
{
    static const uint64_t limits[] = {1, 2, 3, 7, 10, 100};
    struct rng r = rng_make(1, 1);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        int seen[100] = {0}, missed = 0;
        for (int k = 0; k < 5000; k++) {
            uint64_t x = rng_below(&r, limits[i]);
            cr_assert(x < limits[i], "%d", (int)limits[i]);
            seen[x]++;
        }
        for (uint64_t x = 0; x < limits[i]; x++)
            missed += seen[x] == 0;
        cr_expect(missed == 0, "%d of %d missed", missed, (int)limits[i]);
    }
    int high = 0;
    for (int k = 0; k < 1000; k++)
        high += rng_below(&r, UINT64_MAX) > UINT64_MAX / 2;
    cr_expect(high > 400 && high < 600, "%d", high);
}

/* Chi-square with 63 degrees of freedom: beyond 120 once in 50 000 seeds. */
Test(rng, is_uniform)
{
    enum { CELLS = 64, DRAWS = 64000 };
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct rng r = rng_make(seed, 0);
        int below[CELLS] = {0}, unit[CELLS] = {0};
        for (int i = 0; i < DRAWS; i++) {
            double u = rng_unit(&r);
            cr_assert(u >= 0 && u < 1);
            below[rng_below(&r, CELLS)]++;
            unit[(int)(u * CELLS)]++;
        }
        double x = 0, y = 0;
        for (int i = 0; i < CELLS; i++) {
            x += (below[i] - DRAWS / CELLS) * (double)(below[i] - DRAWS / CELLS);
            y += (unit[i] - DRAWS / CELLS) * (double)(unit[i] - DRAWS / CELLS);
        }
        cr_expect(x / (DRAWS / CELLS) < 120 && y / (DRAWS / CELLS) < 120, "seed %d: %g, %g",
                  (int)seed, x / (DRAWS / CELLS), y / (DRAWS / CELLS));
    }
}
