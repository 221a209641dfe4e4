/* SPDX-License-Identifier: MIT */
#include "bench/campaign/subject.h"

#include <string.h>

#include "base/strbuf.h"
#include "bench/report/report.h"
#include "sim/explore/explore.h"

/* Runs before an exploration; and how narrow the interval of a rate has to be. */
enum { QUICK_RUNS = 16 };
static const double wanted_width = 0.25;

static const char *const names[] = {FATES(NAME_ROW)};
ROW_EACH(names, FATE_COUNT);

const char *fate_name(enum fate f)
{
    return names[f];
}

struct subject subject_make(const struct kase *k, unsigned origins)
{
    struct arena *a = k->of->arena;
    struct subject s = {.kase = k,
                        .origins = origins,
                        .program = k->program,
                        .golden = k->golden,
                        .extents = "",
                        .arguments = "",
                        .executed = case_executed(k, a)};
    mutants_list(a, k->program, origins, &s.list);
    s.smaller = s.list;
    return s;
}

/* ---- smaller extents ---- */

static bool same_list(const mutants *x, const mutants *y)
{
    if (x->len != y->len)
        return false;
    for (size_t i = 0; i < x->len; i++)
        if (x->items[i].kind != y->items[i].kind || x->items[i].first != y->items[i].first ||
            strcmp(x->items[i].what, y->items[i].what))
            return false;
    return true;
}

static bool same_sites(const struct program *x, const struct program *y)
{
    if (x->nsites != y->nsites)
        return false;
    for (int i = 0; i < x->nsites; i++)
        if (x->sites[i].origin != y->sites[i].origin ||
            x->sites[i].span.line != y->sites[i].span.line ||
            strcmp(x->sites[i].what, y->sites[i].what))
            return false;
    return true;
}

/* Every site is executed as before: not at all, at most once a core, or again. */
static bool as_often(const struct subject *s, const uint64_t *executed)
{
    uint64_t cores = (uint64_t)s->kase->program->ncores;
    for (int i = 0; i < s->kase->program->nsites; i++)
        if (!s->executed[i] != !executed[i] || (s->executed[i] > cores && executed[i] <= cores))
            return false;
    return true;
}

typedef VEC(struct binding) bindings;

static struct binding bind_int(struct arena *a, const char *name, int64_t value)
{
    const char *text = arena_printf(a, "%s=%lld", name, (long long)value);
    struct diag d = {.arena = a};
    struct binding b = {0};
    binding_parse(a, text, &b, &d);
    return b;
}

/* The case with these values beside those of the command; NULL: it is none, or has other sites. */
static struct kase *smaller_case(struct arena *a, const struct subject *s, const bindings *values)
{
    const struct kase *k = s->kase;
    struct compilation c = case_compilation(k);
    bindings all = {0};
    for (size_t i = 0; i < c.options.nargs; i++)
        vec_push(a, &all, c.options.args[i]);
    vec_foreach (const struct binding, b, values)
        vec_push(a, &all, *b);
    c.options.args = all.items;
    c.options.nargs = all.len;
    struct diag d = {.arena = a};
    pthread_mutex_lock(s->lock); /* the kernel's tree is of the experiment's arena, and grows */
    struct program *p = kernel_compile(a, k->kernel, &c.options, k->nranks, &d);
    pthread_mutex_unlock(s->lock);
    if (!p || !same_sites(k->program, p))
        return NULL;
    struct kase *small = arena_dup(a, k, sizeof *k);
    small->program = p;
    small->golden = golden_run(a, p, c.sc, k->options.max_transitions);
    small->options.named = machine_load_lines(a, p, k->contract, true);
    small->options.known = NULL;
    return small->golden->ended && as_often(s, case_executed(small, a)) ? small : NULL;
}

static bool is_given(const struct kase *k, const char *name)
{
    for (size_t i = 0; i < k->of->kernel.nargs; i++)
        if (!strcmp(k->of->kernel.args[i].name, name))
            return true;
    return false;
}

/* The smallest value below `below` that one constant may have beside the others; NULL: none. */
static struct kase *shrink(struct arena *a, const struct subject *s, const bindings *others,
                           const char *name, int64_t *below)
{
    static const int64_t values[] = {1, 2, 4, 8, 16, 32, 64};
    for (size_t i = 0; i < sizeof values / sizeof *values && values[i] < *below; i++) {
        bindings all = {0};
        vec_foreach (const struct binding, b, others)
            if (strcmp(b->name, name) != 0)
                vec_push(a, &all, *b);
        vec_push(a, &all, bind_int(a, name, values[i]));
        struct kase *k = smaller_case(a, s, &all);
        if (k) {
            *below = values[i];
            return k;
        }
    }
    return NULL;
}

struct constant {
    const char *name;
    int64_t value, was;
};
typedef VEC(struct constant) constants;

/* Those of the kernel's module that the command line leaves open. */
static constants open_constants(struct arena *a, const struct kase *k)
{
    constants list = {0};
    const struct map *all = &k->kernel->program->constants;
    for (const char *name = NULL; (name = map_next_text(all, name));) {
        const struct ir_expr *e = map_get_text(all, name);
        if (e->kind == IR_INT && !is_given(k, name))
            vec_push(a, &list, (struct constant){name, e->integer.value, e->integer.value});
    }
    return list;
}

static bindings changed(struct arena *a, const constants *list)
{
    bindings chosen = {0};
    vec_foreach (const struct constant, x, list)
        if (x->value != x->was)
            vec_push(a, &chosen, bind_int(a, x->name, x->value));
    return chosen;
}

/* One constant after the other as small as it goes, and again: what one may be depends on the others.
 * NULL: none gets smaller. */
static struct kase *smallest_case(struct arena *a, const struct subject *s, constants *list)
{
    enum { ROUNDS = 3 };
    struct kase *best = NULL;
    for (int round = 0; round < ROUNDS; round++)
        vec_foreach (struct constant, c, list) {
            bindings chosen = changed(a, list);
            struct kase *k = shrink(a, s, &chosen, c->name, &c->value);
            best = k ? k : best;
        }
    return best;
}

/* ---- the unmutated program ---- */

static void explore_base(struct arena *a, struct subject *s)
{
    bool room;
    if (!explore_fits(s->program))
        return;
    s->contract = explore_contract(s->program, s->kase->contract, &room);
    behaviour_explore(a,
                      &(struct behaviour_query){.program = s->program,
                                                .contract = &s->contract,
                                                .golden = s->golden,
                                                .max_states = s->max_states},
                      &s->base);
}

/* The smaller case in the place of the own, where all its states can be seen. */
static bool adopt(struct arena *a, struct subject *s, const struct kase *small)
{
    struct subject with = *s;
    with.program = small->program;
    with.golden = small->golden;
    with.smaller = (mutants){0};
    mutants_list(a, small->program, s->origins, &with.smaller);
    if (!same_list(&with.smaller, &s->list))
        return false;
    explore_base(a, &with);
    if (with.base.complete)
        *s = with;
    return with.base.complete;
}

/* Each constant as it was, where that can be explored too. */
static void enlarge(struct arena *a, struct subject *s, constants *list)
{
    vec_foreach (struct constant, c, list) {
        if (c->value == c->was)
            continue;
        int64_t small = c->value;
        c->value = c->was;
        bindings chosen = changed(a, list);
        const struct kase *k = chosen.len ? smaller_case(a, s, &chosen) : NULL;
        if (!k || !adopt(a, s, k))
            c->value = small;
    }
}

void subject_prepare(struct arena *a, struct subject *s, uint64_t max_states, pthread_mutex_t *lock)
{
    s->max_states = max_states;
    s->lock = lock;
    if (!max_states)
        return;
    explore_base(a, s);
    if (s->base.complete)
        return;
    constants list = open_constants(a, s->kase);
    const struct kase *small = smallest_case(a, s, &list);
    if (!small || !adopt(a, s, small))
        return;
    enlarge(a, s, &list);
    struct strbuf extents = strbuf_make(a), arguments = strbuf_make(a);
    vec_foreach (const struct constant, c, &list) {
        if (c->value == c->was)
            continue;
        strbuf_addf(&extents, "%s%s=%lld", extents.len ? ", " : "", c->name, (long long)c->value);
        strbuf_addf(&arguments, " --arg '%s=%lld'", c->name, (long long)c->value);
    }
    s->extents = extents.text;
    s->arguments = arguments.text;
}

/* ---- runs ---- */

/* Where an instruction of the program stands in the mutant. */
static struct place moved(const struct program *mutant, struct place x)
{
    if (x.core < 0 || x.insn < 0)
        return x;
    const struct code *c = mutant->cores[x.core].code;
    int old = x.insn;
    for (int i = 0; i < c->count; i++)
        if (!(c->insns[i].flags & INSN_ADDED) && !old--) {
            x.insn = i;
            break;
        }
    return x;
}

/* The findings of the unmutated program, as they are called in the mutant. */
static const struct tally *known_of(struct arena *a, const struct kase *k,
                                    const struct program *mutant)
{
    struct tally *t = arena_dup(a, &k->tally, sizeof *t);
    t->findings.items =
        arena_dup(a, t->findings.items, sizeof *t->findings.items * t->findings.len);
    vec_foreach (struct tally_finding, f, &t->findings) {
        f->first.reader = moved(mutant, f->first.reader);
        f->first.producer = moved(mutant, f->first.producer);
        f->first.culprit = moved(mutant, f->first.culprit);
    }
    return t;
}

struct sampling {
    struct runner *runner;
    uint64_t seed;
    struct tally *tally;
    struct arena *arena;
};

static bool rate_known(const struct tally *t)
{
    double low, high;
    if (!t->failed)
        return false;
    wilson(t->failed, t->runs, &low, &high);
    return high - low <= wanted_width;
}

/* Ends early when a stop is wanted: the judgement is then none. */
static void sample(const struct sampling *s, uint64_t until)
{
    while (s->tally->runs < until && !rate_known(s->tally))
        if (!runner_run(s->runner, s->seed + s->tally->runs, s->tally, s->arena))
            return;
}

/* ---- judging ---- */

static void explore_mutant(struct arena *a, const struct subject *s, const struct mutant *m,
                           struct judgement *out)
{
    struct behaviour b;
    const struct program *p = mutant_program(a, s->program, m);
    behaviour_explore(a,
                      &(struct behaviour_query){.program = p,
                                                .contract = &s->contract,
                                                .golden = s->golden,
                                                .max_states = s->max_states,
                                                .known = &s->base},
                      &b);
    out->states = b.states;
    if (b.differs) {
        out->fate = FATE_KILLED;
        out->found = b.found;
        out->finding = b.first;
        out->program = p;
    } else if (b.complete) {
        out->fate = behaviour_within(&s->base, &b) ? FATE_REDUNDANT : FATE_FEWER;
    }
}

static bool is_reached(const struct subject *s, const struct mutant *m)
{
    for (int i = 0; i < s->program->nsites; i++)
        if (m->removed[i] && s->base.reached[i])
            return true;
    return false;
}

static void prove(struct arena *a, const struct subject *s, size_t i, struct judgement *out)
{
    if (!s->base.complete)
        return;
    if (is_reached(s, &s->smaller.items[i]))
        explore_mutant(a, s, &s->smaller.items[i], out);
    else
        out->fate = FATE_NOT_REACHED;
}

void subject_judge(struct arena *a, const struct subject *s, size_t i, uint64_t seed, uint64_t runs,
                   struct judgement *out)
{
    const struct kase *k = s->kase;
    const struct mutant *m = &s->list.items[i];
    *out = (struct judgement){.fate = FATE_NOT_OBSERVED};
    const struct program *p = mutant_program(a, k->program, m);
    struct runner_options o = k->options;
    o.known = m->nadditions ? known_of(a, k, p) : &k->tally;
    struct sampling sampling = {runner_new(p, k->contract, k->golden, o), seed, &out->tally, a};
    sample(&sampling, runs < QUICK_RUNS ? runs : QUICK_RUNS);
    if (!out->tally.failed)
        prove(a, s, i, out);
    if (out->fate == FATE_NOT_OBSERVED || out->fate == FATE_KILLED)
        sample(&sampling, runs);
    runner_free(sampling.runner);
    if (out->tally.failed) {
        out->fate = FATE_KILLED;
        out->program = p;
    } else if (out->fate == FATE_NOT_OBSERVED && out->tally.timed_out) {
        out->fate = FATE_UNKNOWN;
    }
}

void subject_judge_pair(struct arena *a, const struct subject *s, int x, int y,
                        struct judgement *out)
{
    struct mutant m = mutant_pair(a, s->program, x, y);
    *out = (struct judgement){.fate = FATE_NOT_OBSERVED};
    explore_mutant(a, s, &m, out);
}
