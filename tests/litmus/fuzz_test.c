/* SPDX-License-Identifier: MIT */
/*
 * Damaged input, from fixed seeds: every reader gives one error or a program that obeys the laws of
 * its language. FUZZ_INPUTS in the environment asks for more inputs than the few thousand of the
 * suite; `make fuzz` searches with coverage.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/targets.h"
#include "tests/ir/random_program.h"
#include "tests/support.h"

struct seeds {
    struct arena arena;
    VEC(const char *) texts;
};

static void add_files(struct seeds *s, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct diag d = {.arena = &s->arena};
        const struct source *src = source_read(&s->arena, found.gl_pathv[i], &d);
        cr_assert(src, "%s", diag_text(&d, &s->arena));
        if (src->len)
            vec_push(&s->arena, &s->texts, src->text);
    }
    globfree(&found);
}

static size_t inputs(size_t usual)
{
    const char *asked = getenv("FUZZ_INPUTS");
    return asked ? strtoull(asked, NULL, 10) : usual;
}

/* The unharmed text as well: laws of good text are laws of every file. */
static void check(const struct fuzz_target *t, const char *name, const char *text)
{
    struct arena a = {0};
    const char *wrong = t->run(&a, source_from_string(&a, "input", text));
    cr_expect(!wrong, "%s, %s: %s\n%s", t->name, name, wrong, text);
    arena_free(&a);
}

static void fuzz(const char *target, struct seeds *s, size_t usual, uint64_t seed)
{
    const struct fuzz_target *t = fuzz_target_find(target);
    struct rng r = rng_make(seed, 3);
    cr_assert(s->texts.len > 0, "no files to damage: run the tests from the top folder");
    for (size_t i = 0; i < s->texts.len; i++)
        check(t, arena_printf(&s->arena, "file %zu unharmed", i), s->texts.items[i]);
    for (size_t i = 0, n = inputs(usual); i < n; i++) {
        struct arena a = {0};
        const char *one = s->texts.items[rng_below(&r, s->texts.len)];
        const char *other = s->texts.items[rng_below(&r, s->texts.len)];
        check(t, arena_printf(&a, "input %zu", i), mutate(&a, &r, one, other));
        arena_free(&a);
    }
    arena_free(&s->arena);
}

Test(fuzz, kernels)
{
    struct seeds s = {0};
    add_files(&s, "tests/fuzz/corpus/ir/*");
    add_files(&s, "tests/cases/parse/program_*.before.py");
    add_files(&s, "kernels/*.py");
    fuzz("ir", &s, 1500, 1);
}

Test(fuzz, compiled_kernels)
{
    struct seeds s = {0};
    add_files(&s, "tests/fuzz/corpus/pto/*");
    fuzz("pto", &s, 2000, 5);
}

Test(fuzz, random_programs)
{
    struct seeds s = {0};
    for (uint64_t seed = 0; seed < 50; seed++)
        vec_push(&s.arena, &s.texts, random_program(&s.arena, seed));
    fuzz("ir", &s, 1000, 2);
}

Test(fuzz, litmus_tests)
{
    struct seeds s = {0};
    add_files(&s, "tests/fuzz/corpus/litmus/*");
    add_files(&s, "litmus/bench/*.litmus");
    add_files(&s, "litmus/catalogue/*/*.litmus");
    fuzz("litmus", &s, 2000, 3);
}

Test(fuzz, machine_contracts)
{
    struct seeds s = {0};
    add_files(&s, "tests/fuzz/corpus/machine/*");
    add_files(&s, "models/machines/*.model");
    fuzz("machine", &s, 1000, 4);
}

Test(fuzz, toolchain_profiles)
{
    struct seeds s = {0};
    add_files(&s, "tests/fuzz/corpus/toolchain/*");
    add_files(&s, "models/toolchains/*.toolchain");
    fuzz("toolchain", &s, 1000, 5);
}
