/* SPDX-License-Identifier: MIT */
/*
 * The law of every pass: what it makes prints and reads back as an equal program with an equal hash
 * (docs/language.md). The pass table is walked, so a pass that joins it is tested here.
 */
#include <glob.h>

#include "ir/verify.h"
#include "passes/pass.h"
#include "tests/ir/helpers.h"
#include "tests/ir/random_program.h"

/* Criterion runs each test in a process of its own: the seeds are spread over several. */
enum { SEEDS_PER_TEST = 1000, CHANGES_AT_LEAST = 20, MAX_PASSES = 32 };

struct runs {
    size_t done; /* programs that some pass accepted */
    size_t changed[MAX_PASSES];
};

/* Runs each pass whose requirement holds, in the order of the table, on what the last one made. */
static void expect_laws(const char *name, const struct ir_program *p, struct arena *a,
                        struct runs *runs)
{
    cr_assert(pass_count <= MAX_PASSES);
    for (size_t i = 0; i < pass_count; i++) {
        struct diag d = {.arena = a};
        struct pass_options o = PASS_OPTIONS_DEFAULT;
        const struct pass *pass = &passes[i];
        if (!passes_check(&pass, 1, p, &d))
            continue;
        uint64_t before = ir_hash(p);
        const struct ir_program *next = pass->run(a, p, &o, &d);
        cr_expect((next == NULL) == d.failed, "%s: %s answers once", name, pass->name);
        cr_expect(ir_hash(p) == before, "%s: %s leaves its input alone", name, pass->name);
        if (!next)
            continue;
        expect_reads_back(arena_printf(a, "%s after %s", name, pass->name), next);
        runs->done++;
        runs->changed[i] += ir_hash(next) != before || !ir_equal(p, next);
        p = next;
    }
}

static void expect_seeds(uint64_t first)
{
    struct runs runs = {0};
    for (uint64_t seed = first; seed < first + SEEDS_PER_TEST; seed++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const char *name = arena_printf(&a, "seed %lu", (unsigned long)seed);
        struct ir_program *p = parse_good(&a, name, random_program(&a, seed));
        if (verify_program(p, &d))
            expect_laws(name, p, &a, &runs);
        arena_free(&a);
    }
    cr_expect(runs.done >= SEEDS_PER_TEST, "only %zu passes accepted a program", runs.done);
    /* A random kernel splits no tile, and split=0 is what leaving it out says; few have a break, or a
     * scope of another level. */
    for (size_t i = 0; i < pass_count; i++)
        cr_expect(runs.changed[i] >= CHANGES_AT_LEAST ||
                      !strcmp(passes[i].name, "StampTfreeSplit") ||
                      ((!strcmp(passes[i].name, "CtrlFlowTransform") ||
                        !strcmp(passes[i].name, "OutlineHierarchyScopes")) &&
                       runs.changed[i]),
                  "%s changed %zu programs only", passes[i].name, runs.changed[i]);
}

Test(laws, random_programs_0)
{
    expect_seeds(0);
}

Test(laws, random_programs_1)
{
    expect_seeds(SEEDS_PER_TEST);
}

static struct ir_program *read_program(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *src = source_read(a, path, &d);
    cr_assert(src, "%s", diag_text(&d, a));
    return parse_good(a, path, src->text);
}

/* Every program of the repository, through the whole table. */
Test(laws, files)
{
    static const char *const patterns[] = {"kernels/*.py", "kernels/host/*.py",
                                           "tests/cases/*/program_*.before.py"};
    struct runs runs = {0};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        cr_assert(glob(patterns[i], 0, NULL, &found) == 0, "%s: no files", patterns[i]);
        for (size_t f = 0; f < found.gl_pathc; f++) {
            struct arena a = {0};
            const char *path = found.gl_pathv[f];
            expect_laws(path, read_program(&a, path), &a, &runs);
            arena_free(&a);
        }
        globfree(&found);
    }
    cr_expect(runs.done > 0);
}
