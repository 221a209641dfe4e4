/* SPDX-License-Identifier: MIT */
/*
 * What the real compiler emitted for kernels whose source we have, where those files lie beside the
 * repository (pypto-front-facts 0): read, printed back equal, and as a machine program what our own
 * passes and code generation make of the source, but for names and registers. Compared is what
 * stands in front of the assembler's synchronisation: that one goes by the addresses of tiles, and the
 * compiler lets tiles share memory that code generation keeps apart.
 */
#include "codegen/kernel.h"
#include "pto/compile.h"
#include "tests/pto/effects.h"
#include "tests/pto/pairs.h"
#include "tests/support.h"

/* ---- explained ---- */

/* Where the two are not equal, and why that is right. */
static const struct {
    const char *file, *why;
} explained[] = {
    {"a24_helper_writes.h", "a helper: our code generation puts it into its caller"},
    {"a34_notify_in_callee.n", "a helper"},
    {"a35_wait_in_callee.w", "a helper"},
    {"b06_while_cond_read_inner_pure.f",
     "the compiler evaluates the call in the condition of a loop once (FlattenCallExpr), and "
     "Simplify loses that one"},
    {"allreduce_mesh_fp32.k", "a copy of a tile, where the compiler has one buffer of two names"},
    {"allreduce_ring_fp16.k", "copies of tiles"},
    {"allreduce_ring_fp32.k", "copies of tiles"},
    {"reduce_scatter.kernel",
     "the part of a tensor with a dynamic dimension is clamped by it: its rows are a number of the "
     "run, which is always the one that code generation takes"},
    {"ring_allreduce.kernel", "clamped parts"},
};

static bool is_explained(const char *name)
{
    for (size_t i = 0; i < sizeof explained / sizeof *explained; i++)
        if (!strcmp(explained[i].file, name))
            return true;
    return false;
}

/* ---- both programs ---- */

/* The compiler's own barrier in front of TNOTIFY, as that commit emits it, and nothing of the
 * assembler's. */
static const struct toolchain *unassembled(struct arena *a)
{
    struct diag d = {.arena = a};
    const struct toolchain *t = toolchain_load(a, "models", "ptoas-0.52", &d);
    cr_assert(t, "%s", diag_text(&d, a));
    struct toolchain *own = arena_dup(a, t, sizeof *t);
    own->auto_sync = false;
    return own;
}

/* Code does not depend on what scalar arguments are. */
static enum pto_answer any(void *ctx, const char *name, int rank, int64_t *out, struct diag *d)
{
    (void)ctx, (void)rank, (void)d;
    *out = 2;
    return strncmp(name, "arg", 3) ? PTO_UNKNOWN : PTO_GIVEN;
}

static const struct program *from_compiled(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, path, &d);
    struct pto_file *f = s ? pto_read(a, s, &d) : NULL;
    struct pto_options o = {.toolchain = unassembled(a), .nranks = 2, .value = any};
    const struct program *p = f ? pto_compile(a, f, &o, &d) : NULL;
    cr_assert(p, "%s", diag_text(&d, a));
    return p;
}

static const struct program *from_source(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct kernel *k = kernel_load(a, path, &d);
    struct kernel_options o = {.pass = {.markers = true, .batch = PASS_BATCH_NONE},
                               .toolchain = unassembled(a)};
    int ranks = k && k->directives.ranks.len ? k->directives.ranks.items[0] : 2;
    const struct program *p = k ? kernel_compile(a, k, &o, ranks, &d) : NULL;
    cr_assert(p, "%s", diag_text(&d, a));
    return p;
}

/* ---- comparing ---- */

static void compare(struct arena *a, const struct pair *x)
{
    const struct program *ours = from_source(a, x->source), *theirs = from_compiled(a, x->path);
    bool regions = !ours->nsteps; /* a host program has buffers in place of parameters */
    const char *expected = task_effects(a, ours, x->function, regions),
               *is = task_effects(a, theirs, x->function, regions);
    bool equal = expected && is && !strcmp(expected, is);
    if (is_explained(x->name))
        cr_expect(!equal, "%s is equal by now: no exception any more", x->name);
    else
        expect_text(x->name, is ? is : "no such task", expected ? expected : "no such task");
}

static void compare_known(void *ctx, struct arena *a, const struct pair *x)
{
    (void)ctx;
    compare(a, x);
}

Test(pto_oracle, same_machine_programs)
{
    pairs_each(compare_known, NULL);
}
