/* SPDX-License-Identifier: MIT */
/* Every remedy that the bench names repairs. */
#include <glob.h>

#include "bench/litmus_files.h"
#include "litmus/kernel.h"
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
    struct options o;
    const char *const *files;
    size_t n;
    options_init(&o);
    const struct contract *k = contract_load(&o.arena, "models", model, &o.diag);
    const struct toolchain *tc = toolchain_load(&o.arena, "models", "ptoas-0.57", &o.diag);
    cr_assert(k && tc && litmus_files(&o, "litmus/catalogue", &files, &n));
    for (size_t i = 0; i < n; i += stride) {
        struct arena a = {0};
        const struct source *src = source_read(&a, files[i], &o.diag);
        const struct litmus_test *t = litmus_parse(&a, src, tc, &o.diag);
        cr_assert(t, "%s", files[i]);
        check_litmus(t, k, count);
        vec_foreach (const struct litmus_label, l, &t->labels)
            check_litmus(litmus_without(&a, t, l->name), k, count);
        arena_free(&a);
    }
    options_free(&o);
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
    uint64_t runs;
};

static void check_kernel(struct arena *a, const struct kernel_row *row, const char *file,
                         struct answers *count)
{
    struct diag d = {.arena = a};
    const struct kernel *k = kernel_load(a, file, &d);
    const struct contract *c = contract_load(a, "models", row->model, &d),
                          *sc = contract_load(a, "models", "sc", &d);
    struct kernel_options o = {.pass = PASS_OPTIONS_DEFAULT,
                               .toolchain = toolchain_load(a, "models", row->toolchain, &d)};
    o.pass.markers = !row->markers_off;
    o.cores_per_rank = c ? c->cores_per_rank : 1;
    int ranks = k && k->directives.ranks.len ? k->directives.ranks.items[0] : 2;
    const struct program *p = d.failed ? NULL : kernel_compile(a, k, &o, ranks, &d);
    cr_assert(p && c && sc, "%s: %s", file, diag_text(&d, a));
    const char *what = arena_printf(a, "%s, %s, %s%s", k->name, row->model, row->toolchain,
                                    row->markers_off ? ", markers off" : "");
    struct compiled compiled = {what, k, o, ranks, p, c, sc};
    check_sampled(a, &compiled, row->runs, count);
}

static void check_kernels(const struct kernel_row *rows, size_t n, struct answers *count)
{
    for (size_t i = 0; i < n; i++) {
        glob_t files;
        cr_assert_eq(glob(rows[i].files, 0, NULL, &files), 0, "%s: no files", rows[i].files);
        for (size_t f = 0; f < files.gl_pathc; f++) {
            struct arena a = {0};
            check_kernel(&a, &rows[i], files.gl_pathv[f], count);
            arena_free(&a);
        }
        globfree(&files);
    }
}

#define KERNELS "litmus/kernels/*.py"
#define HOST    "litmus/host/"

static const struct kernel_row kernel_rows[] = {
    {KERNELS, "ptoas-0.57", "a2a3", false, 40},
    {KERNELS, "ptoas-0.57", "a2a3", true, 40},
    {KERNELS, "ptoas-0.50", "a2a3-fifo", true, 40},
    {KERNELS, "proposed", "weakest", true, 20},
    {KERNELS, HOST "no_tail.toolchain", "a2a3-blocking", true, 20},
    {HOST "*.py", "ptoas-0.57", "a2a3", false, 40},
    {HOST "*.py", HOST "no_tail.toolchain", HOST "two_cores.model", true, 40},
    {HOST "*.py", HOST "no_tail.toolchain", HOST "two_cores_dirty.model", false, 40},
};

Test(remedy, of_the_kernels, .timeout = 3600)
{
    struct answers count = {0};
    check_kernels(kernel_rows, COUNT(kernel_rows), &count);
    cr_expect(count.of_kind[REMEDY_REPAIRS] >= 100 && count.of_kind[REMEDY_FOLLOWS] >= 1 &&
                  count.of_kind[REMEDY_NONE] >= 10,
              "%d findings, %d repaired, %d that follow, %d that no marker helps", count.findings,
              count.of_kind[REMEDY_REPAIRS], count.of_kind[REMEDY_FOLLOWS],
              count.of_kind[REMEDY_NONE]);
}
