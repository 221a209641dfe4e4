/* SPDX-License-Identifier: MIT */
#include "tests/litmus/litmus_rig.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "sim/driver.h"
#include "sim/explore/explore.h"
#include "tests/support.h"

const struct toolchain *rig_toolchain(struct arena *a, const char *name)
{
    struct diag d = {.arena = a};
    const struct toolchain *t = toolchain_load(a, "models", name, &d);
    cr_assert(t, "%s", diag_text(&d, a));
    return t;
}

const struct contract *rig_contract(struct arena *a, const char *name)
{
    struct diag d = {.arena = a};
    const struct contract *k = contract_load(a, "models", name, &d);
    cr_assert(k, "%s", diag_text(&d, a));
    return k;
}

struct litmus_test *rig_parse(struct arena *a, const char *text, struct diag *d)
{
    return litmus_parse(a, source_from_string(a, "t.litmus", text), rig_toolchain(a, "ptoas-0.57"),
                        d);
}

struct litmus_test *rig_test(struct arena *a, const char *text)
{
    struct diag d = {.arena = a};
    struct litmus_test *t = rig_parse(a, text, &d);
    cr_assert(t, "%s", diag_text(&d, a));
    return t;
}

const char *rig_listing(struct arena *a, const struct program *p, int core)
{
    struct strbuf b = strbuf_make(a);
    const struct code *c = p->cores[core].code;
    for (int i = 0; i < c->count && c->insns[i].op != I_END; i++)
        strbuf_addf(&b, "%s%s", i ? "; " : "", insn_text(p, c, &c->insns[i], a));
    return b.text;
}

/* ---- outcomes ---- */

struct finals {
    struct arena *arena;
    const struct litmus_test *test;
    VEC(const char *) texts;
    uint64_t with, without;
};

static void on_final(void *ctx, const struct machine *m, bool deadlock)
{
    struct finals *f = ctx;
    const char *text = litmus_state(f->test, m, deadlock, f->arena);
    *(litmus_holds(f->test->cond, m, deadlock) ? &f->with : &f->without) += 1;
    vec_foreach (const char *, have, &f->texts)
        if (!strcmp(*have, text))
            return;
    vec_push(f->arena, &f->texts, text);
}

static int by_bytes(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static const char *lines_of(struct finals *f)
{
    struct strbuf b = strbuf_make(f->arena);
    if (f->texts.len)
        qsort(f->texts.items, f->texts.len, sizeof *f->texts.items, by_bytes);
    vec_foreach (const char *, text, &f->texts)
        strbuf_addf(&b, "%s\n", *text);
    return b.text;
}

struct rig_outcomes rig_explore(struct arena *a, const struct litmus_test *t,
                                const struct contract *k, uint64_t max_states)
{
    struct finals f = {.arena = a, .test = t};
    struct explore_options o = {
        .threads = 1, .reduction = true, .max_states = max_states, .on_final = on_final, .ctx = &f};
    struct explore_result r;
    explore(t->program, litmus_contract(a, k, t), &o, &r);
    return (struct rig_outcomes){.states = lines_of(&f),
                                 .verdict = r.complete ? litmus_verdict_of(f.with, f.without)
                                                       : LITMUS_UNKNOWN};
}

static struct rig_outcomes explore_all(struct arena *a, const struct litmus_test *t,
                                       const char *model)
{
    struct rig_outcomes o = rig_explore(a, t, rig_contract(a, model), 0);
    cr_assert_neq((int)o.verdict, LITMUS_UNKNOWN, "%s: not explored", t->name);
    return o;
}

const char *rig_final_states(struct arena *a, const struct litmus_test *t, const char *model)
{
    return explore_all(a, t, model).states;
}

const char *rig_sampled_states(struct arena *a, const struct litmus_test *t, const char *model,
                               uint64_t n)
{
    static void (*const drivers[])(struct machine *, const struct drive_options *,
                                   struct drive_result *) = {drive_timed, drive_random, drive_pct};
    struct finals f = {.arena = a, .test = t};
    struct machine *m = machine_new(t->program, litmus_contract(a, rig_contract(a, model), t),
                                    (struct machine_options){0});
    machine_reset(m);
    for (uint64_t i = 0; i < n * 3; i++) {
        struct drive_options o = {.seed = i / 3 + 1,
                                  .max_transitions = 100000,
                                  .adversary = true,
                                  .pct_depth = 3,
                                  .pct_steps = 40};
        struct drive_result r = {0};
        machine_reset(m);
        drivers[i % 3](m, &o, &r);
        cr_expect(!r.timed_out, "%s: driver %d does not end", t->name, (int)(i % 3));
        on_final(&f, m, !machine_at_end(m));
    }
    machine_free(m);
    return lines_of(&f);
}

enum litmus_verdict rig_verdict(struct arena *a, const struct litmus_test *t, const char *model)
{
    return explore_all(a, t, model).verdict;
}

unsigned rig_excuses(const struct machine *m)
{
    unsigned bits = 0;
    for (int c = 0; c < m->program->ncores; c++) {
        const struct insn *i = machine_at(m, c);
        if (i && i->op == I_BARRIER && i->pa != PIPE_ALL)
            bits |= 1u << WAITS_AT_BARRIER;
        if (i && i->op == I_WAIT_FLAG)
            bits |= 1u << WAITS_AT_FLAG;
        const struct cache *k = &m->cores[c].cache;
        for (int n = 0; n < k->nvalid; n++)
            if (k->lines[k->valid[n]].dirty || k->lines[k->valid[n]].delta)
                bits |= 1u << DIRTY_LINE;
    }
    return bits;
}
