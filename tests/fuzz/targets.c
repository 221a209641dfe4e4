/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/targets.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "litmus/test.h"
#include "models/contract.h"
#include "models/ini_table.h"
#include "models/toolchain.h"
#include "passes/pass.h"
#include "pto/compile.h"
#include "pto/scale.h"

/* A failure has one error, which says something and points nowhere before the text. */
static const char *one_error(struct arena *a, bool ok, const struct diag *d)
{
    if (ok != d->failed)
        return d->failed && (!d->message || !d->message[0] || d->span.line < 0 || d->span.col < 0)
                   ? "an error without a message or with a bad place"
                   : NULL;
    return arena_printf(a, ok ? "accepted with the error '%s'" : "refused without an error%s",
                        ok ? d->message : "");
}

/* ---- kernels ---- */

static const char *ir_law(struct arena *a, const struct ir_program *p, const char *when)
{
    struct diag d = {.arena = a};
    const char *text = ir_print(a, p);
    struct ir_program *again = ir_parse(a, source_from_string(a, "printed", text), &d);
    if (!again)
        return arena_printf(a, "%s: the printed form is not read: %s", when, diag_text(&d, a));
    struct ir_difference diff = {.arena = a};
    if (!ir_compare(p, again, &diff))
        return arena_printf(a, "%s: printed and read it differs: %s", when, diff.words);
    return ir_hash(p) == ir_hash(again) ? NULL : arena_printf(a, "%s: the hash differs", when);
}

static const char *run_passes(struct arena *a, const struct ir_program *p)
{
    for (size_t i = 0; i < pass_count; i++) {
        struct diag d = {.arena = a};
        struct pass_options o = PASS_OPTIONS_DEFAULT;
        const struct pass *pass = &passes[i];
        if (!passes_check(&pass, 1, p, &d))
            continue;
        const struct ir_program *next = pass->run(a, p, &o, &d);
        const char *wrong = one_error(a, next != NULL, &d);
        if (!wrong && next)
            wrong = ir_law(a, next, pass->name);
        if (wrong)
            return arena_printf(a, "%s: %s", pass->name, wrong);
        p = next ? next : p;
    }
    return NULL;
}

static const char *run_ir(struct arena *a, const struct source *src)
{
    struct diag d = {.arena = a};
    struct ir_program *p = ir_parse(a, src, &d);
    const char *wrong = one_error(a, p != NULL, &d);
    if (wrong || !p)
        return wrong;
    wrong = ir_law(a, p, "parsed");
    if (wrong)
        return wrong;
    struct diag v = {.arena = a};
    bool ok = verify_program(p, &v);
    wrong = one_error(a, ok, &v);
    return wrong || !ok ? wrong : run_passes(a, p);
}

/* ---- litmus tests ---- */

static const char *run_litmus(struct arena *a, const struct source *src)
{
    struct diag d = {.arena = a};
    const struct toolchain *t = toolchain_load(a, "models", "ptoas-0.57", &d);
    const struct litmus_test *test = t ? litmus_parse(a, src, t, &d) : NULL;
    const char *wrong = one_error(a, test != NULL, &d);
    if (wrong || !test)
        return wrong;
    const struct source *printed = source_from_string(a, "printed", litmus_print(a, test));
    struct litmus_test *again = litmus_parse(a, printed, t, &d);
    if (!again)
        return arena_printf(a, "the printed form is not read: %s", diag_text(&d, a));
    return again->hash == test->hash ? NULL : "the hash of the printed form differs";
}

/* ---- compiled kernels ---- */

/* All that is asked is 1, but what a directive decides. */
static enum pto_answer one(void *ctx, const char *name, int rank, int64_t *out, struct diag *d)
{
    (void)ctx, (void)rank, (void)d;
    *out = 1;
    return strchr(name, ' ') ? PTO_UNKNOWN : PTO_GIVEN;
}

static const char *compile_pto(struct arena *a, const struct pto_file *f)
{
    struct diag d = {.arena = a};
    struct pto_options o = {
        .toolchain = toolchain_load(a, "models", "ptoas-0.57", &d), .nranks = 2, .value = one};
    const struct program *p = o.toolchain ? pto_compile(a, f, &o, &d) : NULL;
    const char *wrong = one_error(a, p != NULL, &d);
    return wrong ? arena_printf(a, "compiled: %s", wrong) : NULL;
}

/* Smaller, where that can be; the file is good for nothing else afterwards. */
static const char *scale_pto(struct arena *a, struct pto_file *f)
{
    struct diag d = {.arena = a};
    bool has_64 = strstr(f->source->text, "64");
    struct pto_scale scale = {has_64 ? 64 : 16, has_64 ? 16 : 4, f->source, {1, 1, 1}};
    bool ok = pto_scale(a, f, &scale, 1, &d);
    const char *wrong = one_error(a, ok, &d);
    return wrong ? arena_printf(a, "scaled: %s", wrong) : ok ? compile_pto(a, f) : NULL;
}

static const char *run_pto(struct arena *a, const struct source *src)
{
    struct diag d = {.arena = a};
    struct pto_file *f = pto_read(a, src, &d);
    const char *wrong = one_error(a, f != NULL, &d);
    if (wrong || !f)
        return wrong;
    struct pto_file *again = pto_read(a, source_from_string(a, "printed", pto_print(a, f)), &d);
    if (!again)
        return arena_printf(a, "the printed form is not read: %s", diag_text(&d, a));
    struct pto_difference diff = {.arena = a};
    if (!pto_equal(f, again, &diff))
        return arena_printf(a, "printed and read it differs: %s", diff.words);
    wrong = compile_pto(a, f);
    return wrong ? wrong : scale_pto(a, again);
}

/* ---- model files ---- */

/* A file in memory, which the loaders find by its path. */
static const char *memory_file(struct arena *a, const char *text, int *fd)
{
    *fd = memfd_create("model", 0);
    size_t len = strlen(text);
    if (*fd < 0 || write(*fd, text, len) != (ssize_t)len)
        return NULL;
    return arena_printf(a, "/proc/self/fd/%d", *fd);
}

static const char *rows_text(struct arena *a, const struct ini_row *rows, size_t n)
{
    struct strbuf b = strbuf_make(a);
    const char *section = "";
    for (size_t i = 0; i < n; i++) {
        if (strcmp(section, rows[i].section) != 0)
            strbuf_addf(&b, "[%s]\n", rows[i].section);
        section = rows[i].section;
        strbuf_addf(&b, "%s = %s\n", rows[i].name, rows[i].value);
    }
    return b.text;
}

/* The keys of the loaded file as text, or NULL with d filled. */
typedef const char *describe_fn(struct arena *a, const char *path, struct diag *d);

static const char *describe_machine(struct arena *a, const char *path, struct diag *d)
{
    const struct ini_row *rows;
    const struct contract *c = contract_load(a, "models", path, d);
    size_t n = c ? contract_describe(a, c, &rows) : 0;
    return c ? rows_text(a, rows, n) : NULL;
}

static const char *describe_toolchain(struct arena *a, const char *path, struct diag *d)
{
    const struct ini_row *rows;
    const struct toolchain *t = toolchain_load(a, "models", path, d);
    size_t n = t ? toolchain_describe(a, t, &rows) : 0;
    return t ? rows_text(a, rows, n) : NULL;
}

static const char *describe(struct arena *a, const char *text, describe_fn *fn, struct diag *d)
{
    int fd;
    const char *path = memory_file(a, text, &fd);
    const char *out = path ? fn(a, path, d) : NULL;
    if (!path)
        diag_error(d, NULL, (struct span){0}, "no file in memory");
    if (fd >= 0)
        close(fd);
    return out;
}

static const char *run_ini(struct arena *a, const struct source *src, describe_fn *fn)
{
    struct diag d = {.arena = a};
    const char *keys = describe(a, src->text, fn, &d);
    const char *wrong = one_error(a, keys != NULL, &d);
    if (wrong || !keys)
        return wrong;
    const char *again = describe(a, keys, fn, &d);
    if (!again)
        return arena_printf(a, "its own keys are not read: %s%s", diag_text(&d, a), keys);
    return strcmp(keys, again) == 0 ? NULL : "its own keys read as other values";
}

static const char *run_machine(struct arena *a, const struct source *src)
{
    return run_ini(a, src, describe_machine);
}

static const char *run_toolchain(struct arena *a, const struct source *src)
{
    return run_ini(a, src, describe_toolchain);
}

const struct fuzz_target fuzz_targets[] = {
    {"ir", run_ir},           {"litmus", run_litmus},       {"pto", run_pto},
    {"machine", run_machine}, {"toolchain", run_toolchain},
};
const size_t fuzz_target_count = sizeof fuzz_targets / sizeof *fuzz_targets;

const struct fuzz_target *fuzz_target_find(const char *name)
{
    for (size_t i = 0; i < fuzz_target_count; i++)
        if (strcmp(fuzz_targets[i].name, name) == 0)
            return &fuzz_targets[i];
    return NULL;
}
