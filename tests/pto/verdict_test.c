/* SPDX-License-Identifier: MIT */
/*
 * What the real compiler emitted for a function has the verdict of its source, where those files lie
 * beside the repository: the kinds of what every order of steps finds, with the assembler's
 * synchronisation and the barriers that the compiler emitted then; where there are too many states, of
 * what some runs find.
 */
#include "base/strbuf.h"
#include "codegen/kernel.h"
#include "models/contract.h"
#include "pto/compile.h"
#include "sim/driver.h"
#include "sim/explore/explore.h"
#include "sim/oracle.h"
#include "tests/pto/pairs.h"
#include "tests/support.h"

enum { STATES = 10000, RUNS = 40 };

/* ---- explained ---- */

#define HELPER "the function is a helper of another one, which has the rest of the protocol"
#define LANE   "one lane of two, between which the race is"
#define HOST   "functions of a host program hand each other buffers; the file holds one of them"

/* Where the verdicts are not the same, and why that is right. */
static const struct {
    const char *file, *why;
} explained[] = {
    {"K13-v2c-through-gm.kernel_aic", LANE},
    {"K13-v2c-through-gm.kernel_aiv", LANE},
    {"a24_helper_writes.h", HELPER},
    {"a34_notify_in_callee.n", HELPER},
    {"a35_wait_in_callee.w", HELPER},
    {"allreduce_mesh.copy", HOST},
    {"allreduce_mesh.stage", HOST},
    {"allreduce_ring.copy", HOST},
    {"allreduce_ring.stage", HOST},
    {"b06_while_cond_read_inner_pure.f",
     "the compiler evaluates the call in the condition of a loop once (FlattenCallExpr), and "
     "Simplify loses that one, so that nobody reads what races"},
    {"multi_group.swap", "the host gives each pair of ranks a domain; in the file all are of one"},
    {"overwrite_unread.copy", HOST},
    {"overwrite_unread.stage", HOST},
    {"signal_reuse.gather",
     "the host launches it twice, and the second round races with the first"},
};

static const char *reason_of(const char *name)
{
    for (size_t i = 0; i < sizeof explained / sizeof *explained; i++)
        if (!strcmp(explained[i].file, name))
            return explained[i].why;
    return NULL;
}

/* ---- both programs ---- */

static const struct toolchain *toolchain(struct arena *a)
{
    struct diag d = {.arena = a};
    const struct toolchain *t = toolchain_load(a, "models", "ptoas-0.52", &d);
    cr_assert(t, "%s", diag_text(&d, a));
    return t;
}

/* A file, and the source that tells what its scalars are. */
struct given {
    const struct pto_op *func; /* of the file */
    const struct kernel *source;
    const struct ir_func *written;
    int ranks;
};

/* Scalars stand in one order in both; behind them, the file has dimensions. */
static const struct ir_var *parameter_of(const struct given *g, const char *name)
{
    const struct pto_block *b = g->func->regions.items[0]->blocks.items[0];
    size_t n = 0, k = 0;
    vec_foreach (struct pto_value *, v, &b->args) {
        if (!strcmp((*v)->name + 1, name))
            break;
        n += (*v)->type->kind == PTO_SCALAR;
    }
    vec_foreach (const struct ir_param, p, &g->written->params)
        if (p->var->type->kind == IR_TYPE_SCALAR && k++ == n)
            return p->var;
    return NULL;
}

static enum pto_answer value(void *ctx, const char *name, int rank, int64_t *out, struct diag *d)
{
    const struct given *g = ctx;
    const struct ir_var *v = strpbrk(name, " .") ? NULL : parameter_of(g, name);
    const struct binding *b = NULL;
    vec_foreach (const struct binding, x, &g->source->directives.args)
        b = v && !strcmp(x->name, v->shown) ? x : b;
    if (v && !b) { /* of a helper, whose caller tells it the peer */
        *out = (rank + 1) % g->ranks;
        return PTO_GIVEN;
    }
    if (!b)
        return PTO_UNKNOWN;
    return binding_eval(d->arena, b, rank, g->ranks, out, d) ? PTO_GIVEN : PTO_WRONG;
}

static const struct pto_op *function_of(const struct pto_block *b, const char *name)
{
    const struct pto_op *found = NULL;
    vec_foreach (struct pto_op *, op, &b->ops) {
        if ((*op)->symbol && !strcmp((*op)->symbol, name) && (*op)->regions.len)
            found = *op;
        vec_foreach (struct pto_region *, r, &(*op)->regions)
            found = found ? found : function_of((*r)->blocks.items[0], name);
    }
    return found;
}

static const struct program *from_compiled(struct arena *a, const struct pair *x, struct given *g)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, x->path, &d);
    struct pto_file *f = s ? pto_read(a, s, &d) : NULL;
    g->func = f ? function_of(&f->top, x->function) : NULL;
    struct pto_options o = {
        .toolchain = toolchain(a), .nranks = g->ranks, .value = value, .ctx = g};
    const struct program *p = g->func ? pto_compile(a, f, &o, &d) : NULL;
    cr_assert(p, "%s: %s", x->name, diag_text(&d, a));
    return p;
}

static const struct program *from_source(struct arena *a, const struct pair *x, struct given *g)
{
    struct diag d = {.arena = a};
    const struct kernel *k = kernel_load(a, x->source, &d);
    cr_assert(k, "%s", diag_text(&d, a));
    struct kernel_options o = {.pass = {.markers = true, .batch = PASS_BATCH_NONE},
                               .toolchain = toolchain(a)};
    g->source = k;
    g->ranks = 2;
    g->written = ir_find_func(k->program, x->written);
    if (k->directives.ranks.len)
        g->ranks = k->directives.ranks.items[0];
    const struct program *p = kernel_compile(a, k, &o, g->ranks, &d);
    cr_assert(p && g->written, "%s: %s", x->name, diag_text(&d, a));
    return p;
}

/* ---- verdicts ---- */

static void note(void *ctx, const struct machine *m)
{
    int n;
    const struct finding *f = oracle_findings(m->oracle, &n);
    for (int i = 0; i < n; i++)
        *(unsigned *)ctx |= 1U << f[i].verdict;
}

static bool explored(const struct program *p, const struct contract *k, bool races, unsigned *kinds)
{
    struct explore_options o = {.threads = 1,
                                .reduction = true,
                                .max_states = STATES,
                                .oracle = true,
                                .brief = true,
                                .races = races,
                                .on_finding = note,
                                .ctx = kinds};
    struct explore_result r = {0};
    struct contract whole = explore_contract(p, k, &(bool){0});
    *kinds = 0;
    explore(p, &whole, &o, &r);
    return r.complete;
}

static unsigned sampled(const struct program *p, const struct contract *k)
{
    unsigned kinds = 0;
    struct oracle *o = oracle_new(p);
    struct machine *m = machine_new(p, k, (struct machine_options){.oracle = o, .kernel = true});
    for (int seed = 1; seed <= RUNS; seed++) {
        struct drive_options drive = {.seed = (uint64_t)seed, .max_transitions = 1000 * 1000};
        struct drive_result result = {0};
        machine_reset(m);
        drive_random(m, &drive, &result);
        oracle_finish(o, m);
        note(&kinds, m);
    }
    machine_free(m);
    oracle_free(o);
    return kinds;
}

static const char *text_of(struct arena *a, unsigned kinds)
{
    struct strbuf b = strbuf_make(a);
    for (int v = 0; v < V_COUNT; v++)
        if (kinds & 1U << v)
            strbuf_addf(&b, "%s%s", b.len ? ", " : "", verdict_name((enum verdict)v));
    return b.len ? b.text : "clean";
}

/* Found is the same by every order in both, or by the same number of runs. */
static void compare(void *ctx, struct arena *a, const struct pair *x)
{
    const struct contract *k = ctx;
    struct given g = {0};
    const struct program *ours = from_source(a, x, &g), *theirs = from_compiled(a, x, &g);
    unsigned one, other;
    bool all = explored(ours, k, false, &one) && explored(theirs, k, false, &other);
    if (all && (one | other) & 1U << V_RACE)
        all = explored(ours, k, true, &one) && explored(theirs, k, true, &other);
    if (!all) {
        one = sampled(ours, k);
        other = sampled(theirs, k);
    }
    if (reason_of(x->name))
        cr_expect(one != other, "%s has the verdict of its source: no exception any more", x->name);
    else
        expect_text(x->name, text_of(a, other), text_of(a, one));
}

Test(pto_verdict, of_the_file_and_its_source, .timeout = 300)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct contract *k = contract_load(&a, "models", "a2a3", &d);
    cr_assert(k, "%s", diag_text(&d, &a));
    pairs_each(compare, (void *)k);
    arena_free(&a);
}
