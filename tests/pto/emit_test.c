/* SPDX-License-Identifier: MIT */
/*
 * Our kernels as the compiler's text: printed, read, printed again equal, and lowered they do what
 * code generation makes of them, instruction by instruction, the assembler's synchronisation
 * included.
 */
#include <glob.h>

#include "base/strbuf.h"
#include "codegen/kernel.h"
#include "pto/compile.h"
#include "pto/emit.h"
#include "tests/pto/effects.h"
#include "tests/support.h"

struct emission {
    struct arena *arena;
    const char *text;
    struct diag d;
};

static void emit(void *ctx, const struct builder *b, const struct program *p)
{
    struct emission *e = ctx;
    e->text = pto_emit(e->arena, b, p, &e->d);
}

static const struct program *compile(struct arena *a, const char *path, const struct toolchain *t,
                                     struct emission *e)
{
    struct diag d = {.arena = a};
    const struct kernel *k = kernel_load(a, path, &d);
    struct kernel_options o = {.pass = PASS_OPTIONS_DEFAULT, .toolchain = t};
    if (e) {
        *e = (struct emission){.arena = a, .d = {.arena = a}};
        o.built = emit;
        o.built_ctx = e;
    }
    int ranks = k && k->directives.ranks.len ? k->directives.ranks.items[0] : 2;
    const struct program *p = k ? kernel_compile(a, k, &o, ranks, &d) : NULL;
    cr_assert(p, "%s", diag_text(&d, a));
    return p;
}

/* As the directives in the text say. */
static enum pto_answer directive(void *ctx, const char *name, int rank, int64_t *out,
                                 struct diag *d)
{
    const struct emission *e = ctx;
    (void)rank, (void)d;
    const char *lead[] = {"window", "size"};
    for (size_t i = 0; i < 2; i++) {
        const char *line = arena_printf(e->arena, "// fencebench: %s", name), *p;
        if (strncmp(name, lead[i], strlen(lead[i])) || !(p = strstr(e->text, line)))
            continue;
        p += strlen(line);
        if (*p != '\n' && *p != '=')
            continue;
        *out = *p == '=' ? strtoll(p + 1, NULL, 10) : 1;
        return PTO_GIVEN;
    }
    *out = 2;
    return strncmp(name, "arg", 3) ? PTO_UNKNOWN : PTO_GIVEN;
}

/* Whose each marker is, which the text does not say and its shape tells. */
static const char *origins(struct arena *a, const struct program *p)
{
    struct strbuf b = strbuf_make(a);
    for (int i = 0; i < p->nsites; i++)
        if (origin_is_rule(p->sites[i].origin) || p->sites[i].origin == ORIGIN_CODEGEN)
            strbuf_addf(&b, "%s %s\n", origin_name(p->sites[i].origin), p->sites[i].what);
    return b.len ? b.text : "";
}

static void expect_same(struct arena *a, const char *path, const struct toolchain *t)
{
    struct toolchain plain = *t;
    struct emission e;
    plain.auto_sync = false;
    compile(a, path, &plain, &e);
    const struct program *ours = compile(a, path, t, NULL);
    if (!e.text) {
        cr_expect(ours->cores[0].dispatches, "%s: %s", path, diag_text(&e.d, a));
        return;
    }
    struct diag d = {.arena = a};
    const struct pto_file *f = pto_read(a, source_from_string(a, path, e.text), &d);
    struct pto_options o = {.toolchain = t, .nranks = ours->nranks, .value = directive, .ctx = &e};
    const struct program *theirs = f ? pto_compile(a, f, &o, &d) : NULL;
    cr_assert(theirs, "%s", diag_text(&d, a));
    const struct pto_file *again = pto_read(a, source_from_string(a, path, pto_print(a, f)), &d);
    struct pto_difference difference = {.arena = a};
    cr_expect(again && pto_equal(f, again, &difference), "%s: %s", path, difference.words);
    expect_text(path, origins(a, theirs), origins(a, ours));
    for (int i = 0; i < ours->ntasks; i++) {
        const char *is = task_effects(a, theirs, ours->tasks[i], true);
        expect_text(arena_printf(a, "%s, %s", path, ours->tasks[i]), is ? is : "no such task",
                    task_effects(a, ours, ours->tasks[i], true));
    }
}

Test(pto_emit, kernels_go_through_the_front_end)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct toolchain *t = toolchain_load(&a, "models", "ptoas-0.57", &d);
    glob_t found;
    cr_assert(t, "%s", diag_text(&d, &a));
    cr_assert(!glob("kernels/*.py", 0, NULL, &found));
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct arena own = {0};
        expect_same(&own, found.gl_pathv[i], t);
        arena_free(&own);
    }
    globfree(&found);
    arena_free(&a);
}
