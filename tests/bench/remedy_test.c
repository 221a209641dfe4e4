/* SPDX-License-Identifier: MIT */
/* Every remedy that the bench names repairs. */
#include <glob.h>

#include "bench/campaign/litmus_files.h"
#include "codegen/kernel.h"
#include "litmus/test.h"
#include "tests/bench/remedy_rig.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- the catalogue, and each of its variants without an instruction ---- */

static void check_litmus(const struct litmus_test *t, const struct contract *k,
                         struct answers *count)
{
    struct arena a = {0};
    const struct contract *fitted = litmus_contract(&a, k, t);
    check_explored(t->program, fitted, arena_printf(&a, "%s, %s", t->name, k->name), count);
    arena_free(&a);
}

/* Every stride-th test. */
static void check_catalogue(const char *model, size_t stride, struct answers *count)
{
    struct arena all = {0};
    struct diag d = {.arena = &all};
    const char *const *files;
    size_t n;
    const struct contract *k = contract_load(&all, "models", model, &d);
    const struct toolchain *tc = toolchain_load(&all, "models", "ptoas-0.57", &d);
    cr_assert(k && tc && litmus_files("litmus/catalogue", &files, &n, &d));
    for (size_t i = 0; i < n; i += stride) {
        struct arena a = {0};
        const struct source *src = source_read(&a, files[i], &d);
        const struct litmus_test *t = litmus_parse(&a, src, tc, &d);
        cr_assert(t, "%s", files[i]);
        check_litmus(t, k, count);
        vec_foreach (const struct litmus_label, l, &t->labels)
            check_litmus(litmus_without(&a, t, l->name), k, count);
        arena_free(&a);
    }
    arena_free(&all);
}

/* Lines that leave and come on their own make many more states: there, all tests of a soak only. */
Test(remedy, of_the_catalogue, .timeout = 3600)
{
    static const struct {
        const char *model;
        size_t stride;
    } rows[] = {
        {"a2a3", 1}, {"a2a3-blocking", 3}, {"a2a3-fifo", 3}, {"a2a3-evict", 10}, {"weakest", 20},
    };
    struct answers count = {0};
    for (size_t i = 0; i < COUNT(rows); i++)
        check_catalogue(rows[i].model, soaked(1) > 1 ? 1 : rows[i].stride, &count);
    cr_expect(count.of_kind[REMEDY_REPAIRS] >= 200 && count.of_kind[REMEDY_NONE] >= 300,
              "%d findings, %d repaired, %d that no marker helps", count.findings,
              count.of_kind[REMEDY_REPAIRS], count.of_kind[REMEDY_NONE]);
}

/* ---- kernels and host programs ---- */

struct kernel_row {
    const char *files; /* a pattern */
    const char *toolchain, *model;
    bool markers_off;
    uint64_t runs; /* 0: explored */
    size_t stride; /* every so many files; in a soak all of them */
};

/* False where the file is not to be run: the compiler refuses it, or it needs arguments. */
static bool compile(struct arena *a, const struct kernel_row *row, const char *file,
                    struct compiled *out, struct diag *d)
{
    const struct kernel *k = kernel_load(a, file, d);
    const struct contract *c = contract_load(a, "models", row->model, d),
                          *sc = contract_load(a, "models", "sc", d);
    struct kernel_options o = {.pass = PASS_OPTIONS_DEFAULT,
                               .toolchain = toolchain_load(a, "models", row->toolchain, d)};
    o.pass.markers = !row->markers_off;
    o.cores_per_rank = c ? c->cores_per_rank : 1;
    int ranks = k && k->directives.ranks.len ? k->directives.ranks.items[0] : 2;
    const struct program *p = d->failed ? NULL : kernel_compile(a, k, &o, ranks, d);
    if (!p)
        return false;
    const char *what = arena_printf(a, "%s, %s, %s%s", k->name, row->model, row->toolchain,
                                    row->markers_off ? ", markers off" : "");
    *out = (struct compiled){what, {k, o, ranks, sc}, p, c};
    return true;
}

/* ours: the files are the project's own, so that they are there, and compile. */
static void check_kernels(const struct kernel_row *rows, size_t n, bool ours, struct answers *count)
{
    for (size_t i = 0; i < n; i++) {
        glob_t files = {0};
        int failed = glob(rows[i].files, 0, NULL, &files);
        cr_assert(!failed || !ours, "%s: no files", rows[i].files);
        size_t stride = soaked(1) > 1 ? 1 : rows[i].stride;
        for (size_t f = i % stride; f < files.gl_pathc; f += stride) {
            struct arena a = {0};
            struct diag d = {.arena = &a};
            struct compiled c;
            bool runs = compile(&a, &rows[i], files.gl_pathv[f], &c, &d);
            cr_assert(runs || !ours, "%s: %s", files.gl_pathv[f], diag_text(&d, &a));
            if (runs && !rows[i].runs)
                check_explored_file(&c, count);
            else if (runs)
                check_sampled(&a, &c, rows[i].runs, count);
            arena_free(&a);
        }
        globfree(&files);
    }
}

#define KERNELS_OF(name) "kernels/" name ".py"
#define KERNELS          KERNELS_OF("*")
#define HOST             "kernels/host/"

static const struct kernel_row kernel_rows[] = {
    {KERNELS, "ptoas-0.57", "a2a3", false, 40, 1},
    {KERNELS, "ptoas-0.57", "a2a3", true, 40, 1},
    {KERNELS, "ptoas-0.50", "a2a3-fifo", true, 40, 2},
    {KERNELS, "proposed", "weakest", true, 20, 2},
    {KERNELS, HOST "no_tail.toolchain", "a2a3-blocking", true, 20, 2},
    {HOST "*.py", "ptoas-0.57", "a2a3", false, 40, 1},
    {HOST "*.py", HOST "no_tail.toolchain", HOST "two_cores.model", true, 40, 1},
    {HOST "*.py", HOST "no_tail.toolchain", HOST "two_cores_dirty.model", false, 40, 1},
};

Test(remedy, of_the_kernels, .timeout = 3600)
{
    struct answers count = {0};
    check_kernels(kernel_rows, COUNT(kernel_rows), true, &count);
    cr_expect(count.of_kind[REMEDY_REPAIRS] >= 100 && count.of_kind[REMEDY_FOLLOWS] >= 1 &&
                  count.of_kind[REMEDY_NONE] >= 10 && count.in_words >= 100,
              "%d findings, %d repaired, %d of them in words, %d that follow, %d that no marker "
              "helps",
              count.findings, count.of_kind[REMEDY_REPAIRS], count.in_words,
              count.of_kind[REMEDY_FOLLOWS], count.of_kind[REMEDY_NONE]);
}

/* Small enough to be explored again with every candidate. */
static const struct kernel_row explored_rows[] = {
    {KERNELS_OF("get_plain"), "ptoas-0.57", "a2a3", true, 0, 1},
    {KERNELS_OF("put_from_plain"), "ptoas-0.50", "a2a3", true, 0, 1},
    {KERNELS_OF("scalar_publish*"), "ptoas-0.57", "a2a3", true, 0, 1},
    {KERNELS_OF("store_read_back"), "ptoas-0.57", "a2a3", false, 0, 1},
    {KERNELS_OF("put_ring"), "ptoas-0.57", "a2a3", true, 0, 1},
    {KERNELS_OF("local_read_credit"), "ptoas-0.57", "a2a3", false, 0, 1},
    {KERNELS_OF("scalar_read_after_wait"), "ptoas-0.57", "a2a3-fifo", true, 0, 1},
    {HOST "hand_over.py", HOST "no_tail.toolchain", HOST "two_cores.model", false, 0, 1},
    {HOST "wait_then_read.py", HOST "no_tail.toolchain", HOST "two_cores.model", true, 0, 1},
    {HOST "shared_line.py", HOST "no_tail.toolchain", HOST "two_cores.model", false, 0, 1},
};

Test(remedy, of_explored_kernels, .timeout = 3600)
{
    struct answers count = {0};
    check_kernels(explored_rows, COUNT(explored_rows), true, &count);
    cr_expect(count.of_kind[REMEDY_REPAIRS] >= 15 && count.in_words >= 15,
              "%d findings, %d repaired, %d of them in words", count.findings,
              count.of_kind[REMEDY_REPAIRS], count.in_words);
}

#define CASES "../shared/cases/"

static const struct kernel_row case_rows[] = {
    {CASES "*/*.py", "ptoas-0.57", "a2a3", false, 100, 1},
    {CASES "*/*.py", "ptoas-0.50", "weakest", true, 100, 3},
    {CASES "verdicts/*.py", CASES "verdicts/no_sync.toolchain", "a2a3-blocking", false, 100, 3},
    {CASES "verdicts/*.py", CASES "verdicts/put_bare.toolchain", "a2a3", true, 100, 3},
    {CASES "verdicts/*.py", CASES "verdicts/tail_none.toolchain", HOST "two_cores.model", false,
     100, 3},
};

Test(remedy, of_the_cases, .timeout = 3600)
{
    struct answers count = {0};
    check_kernels(case_rows, COUNT(case_rows), false, &count);
}
