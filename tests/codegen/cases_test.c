/* SPDX-License-Identifier: MIT */
/*
 * The cases of tests/cases that code generation answers:
 *
 *     codegen          NAME.asm: what core 0 executes (rig_trace)
 *     codegen_memory   NAME.memory: the first elements of the first two rows of `out` on rank 0 behind a
 *                      run; of `memory=TENSOR@RANK`, and of as many rows as `rows=` says
 *     host_plan        NAME.plan: what the host orchestrator comes to
 *
 * `# test: ranks=`, `cores=`, `align=` and `arg=NAME=EXPR` are options of code generation;
 * `passes=all` or `none` says whether passes come before it. `toolchain=` is a profile, and each
 * other key is one of the profile's.
 */
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "codegen/host/host.h"
#include "codegen/kernel.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/pass.h"
#include "tests/case_files.h"
#include "tests/codegen/kernel_rig.h"

/* ---- toolchains ---- */

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

/* The profile with the keys that nobody else has asked for; as in rig_toolchain, what a case does
 * not name adds nothing to what the operators become. */
static const char *profile_text(struct case_file *c)
{
    struct strbuf b = strbuf_make(c->arena);
    const char *base = case_option(c, "toolchain");
    strbuf_addf(&b, "[model]\ninherit = %s\n[lowering]\n", base ? base : "ptoas-0.57");
    if (!case_option(c, "kernel_tail"))
        strbuf_add(&b, "kernel_tail = none\n");
    if (!case_option(c, "auto_sync"))
        strbuf_add(&b, "auto_sync = no\n");
    vec_foreach (struct case_option, o, &c->options) {
        if (!o->read || !strcmp(o->key, "kernel_tail") || !strcmp(o->key, "auto_sync"))
            strbuf_addf(&b, "%s = %s\n", o->key, o->value);
        o->read = true;
    }
    return b.text;
}

/* Names of the profiles that a profile may inherit, in a folder or out of it again. */
static void link_profiles(struct arena *a, const char *folder, bool remove)
{
    glob_t found;
    cr_assert(glob("models/toolchains/*.toolchain", 0, NULL, &found) == 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char target[PATH_MAX];
        const char *name = strrchr(found.gl_pathv[i], '/') + 1,
                   *path = arena_printf(a, "%s/%s", folder, name);
        cr_assert(realpath(found.gl_pathv[i], target));
        cr_assert((remove ? unlink(path) : symlink(target, path)) == 0, "%s", path);
    }
    globfree(&found);
}

static const struct toolchain *toolchain_of(struct case_file *c)
{
    char dir[] = "/tmp/toolchain-XXXXXX";
    struct diag d = {.arena = c->arena};
    cr_assert(mkdtemp(dir));
    const char *folder = arena_printf(c->arena, "%s/toolchains", dir),
               *path = arena_printf(c->arena, "%s/case.toolchain", folder);
    cr_assert(mkdir(folder, 0700) == 0);
    link_profiles(c->arena, folder, false);
    write_file(path, profile_text(c));
    const struct toolchain *t = toolchain_load(c->arena, dir, "case", &d);
    unlink(path);
    link_profiles(c->arena, folder, true);
    rmdir(folder);
    rmdir(dir);
    cr_assert(t, "%s: %s", c->path, diag_text(&d, c->arena));
    return t;
}

/* ---- compiling ---- */

struct setting {
    const struct toolchain *toolchain;
    const char *arg;
    int ranks, cores, align;
    bool passes;
};

static int number_option(struct case_file *c, const char *key, int otherwise)
{
    const char *value = case_option(c, key);
    return value ? atoi(value) : otherwise;
}

static struct setting setting_of(struct case_file *c, bool passes)
{
    struct setting s = {.ranks = number_option(c, "ranks", RIG_RANKS),
                        .cores = number_option(c, "cores", 0),
                        .align = number_option(c, "align", 0),
                        .arg = case_option(c, "arg"),
                        .passes = passes};
    const char *which = case_option(c, "passes");
    if (which)
        s.passes = strcmp(which, "all") == 0;
    s.toolchain = toolchain_of(c);
    return s;
}

static const struct ir_program *parse(struct arena *a, const struct kernel_file *f,
                                      const struct setting *s, struct diag *d)
{
    static const struct pass_options defaults = PASS_OPTIONS_DEFAULT;
    struct binding binding;
    if (s->arg && !binding_parse(a, s->arg, &binding, d))
        return NULL;
    struct kernel_options o = {.args = &binding, .nargs = s->arg != NULL};
    const struct ir_unit *u = ir_file_only(a, f->text, d);
    const struct ir_program *p = u ? kernel_parse(a, f, u, &o, s->ranks, d) : NULL;
    if (!p || !verify_program(p, d))
        return NULL;
    return s->passes ? passes_run(a, p, NULL, 0, &defaults, NULL, d) : p;
}

static const struct program *compile(struct arena *a, const struct source *src,
                                     const struct setting *s, struct diag *d)
{
    struct binding binding;
    if (s->arg && !binding_parse(a, s->arg, &binding, d))
        return NULL;
    const struct kernel_file *f = kernel_file_of(a, src, d);
    const struct ir_program *p = f ? parse(a, f, s, d) : NULL;
    if (!p)
        return NULL;
    struct codegen_options o = {.toolchain = s->toolchain,
                                .nranks = s->ranks,
                                .cores_per_rank = s->cores,
                                .window_align = s->align,
                                .args = &binding,
                                .nargs = s->arg != NULL};
    return codegen(a, p, &f->directives, &o, d);
}

/* The compiled case, or NULL behind an error, which is answered. */
static const struct program *compile_case(struct case_file *c, const struct setting *s)
{
    struct diag d = {.arena = c->arena};
    const struct program *p = compile(c->arena, c->source, s, &d);
    cr_expect((p == NULL) == d.failed, "%s: an error and only an error is reported", c->path);
    if (!p)
        case_answer_error(c, &d);
    return p;
}

/* ---- answers ---- */

static void answer_trace(struct case_file *c, void *ctx)
{
    (void)ctx;
    struct setting s = setting_of(c, false);
    const struct program *p = compile_case(c, &s);
    if (p)
        case_answer(c, ".asm", rig_trace(c->arena, p));
}

static void answer_memory(struct case_file *c, void *ctx)
{
    enum { ROWS = 2, ELEMENTS = 4 };
    (void)ctx;
    int rows = number_option(c, "rows", ROWS), rank = 0;
    char tensor[8] = "out";
    const char *memory = case_option(c, "memory");
    cr_assert(!memory || sscanf(memory, "%7[a-z]@%d", tensor, &rank) == 2, "%s", c->path);
    struct setting s = setting_of(c, false);
    const struct program *p = compile_case(c, &s);
    struct strbuf b = strbuf_make(c->arena);
    for (int row = 0; p && row < rows; row++)
        strbuf_addf(&b, "%s %d: %s\n", tensor, row,
                    rig_memory(c->arena, p, tensor, rank, row, ELEMENTS));
    if (p)
        case_answer(c, ".memory", b.text);
}

/* What the passes print is run as it stands: nothing of a plan is lost in text. */
static void expect_plan_of_printed(struct case_file *c, struct setting s, const char *plan)
{
    struct diag d = {.arena = c->arena};
    const struct kernel_file *f = kernel_file_of(c->arena, c->source, &d);
    const struct ir_program *p = f ? parse(c->arena, f, &s, &d) : NULL;
    cr_assert(p, "%s", diag_text(&d, c->arena));
    const char *name = s.arg ? arena_strndup(c->arena, s.arg, strcspn(s.arg, "=")) : "";
    if (ir_find_constant(p, name)) /* it stands in the tree by now */
        s.arg = NULL;
    s.passes = false;
    const struct source *text = source_from_string(c->arena, c->path, ir_print(c->arena, p));
    const struct program *again = compile(c->arena, text, &s, &d);
    expect_text(c->path, again ? again->plan : diag_text(&d, c->arena), plan);
}

static void answer_plan(struct case_file *c, void *ctx)
{
    (void)ctx;
    struct setting s = setting_of(c, true);
    const struct program *p = compile_case(c, &s);
    if (!p)
        return;
    expect_plan_of_printed(c, s, p->plan);
    case_answer(c, ".plan", p->plan);
}

Test(cases, codegen)
{
    cr_expect(expect_cases("codegen", answer_trace, NULL));
}

Test(cases, codegen_memory)
{
    cr_expect(expect_cases("codegen_memory", answer_memory, NULL));
}

Test(cases, host_plan)
{
    cr_expect(expect_cases("host_plan", answer_plan, NULL));
}
