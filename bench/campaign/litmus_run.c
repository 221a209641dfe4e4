/* SPDX-License-Identifier: MIT */
#include "bench/campaign/litmus_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sim/explore/explore.h"

struct final_collector {
    const struct litmus_test *test;
    const struct litmus_settings *settings;
    struct litmus_outcome *out;
    struct arena scratch; /* texts of final states, emptied now and then */
    uint64_t texts;
};

enum { SCRATCH_TEXTS = 256 };

static void note_final(struct final_collector *c, const struct machine *m, bool deadlock,
                       uint64_t seed)
{
    struct litmus_outcome *out = c->out;
    if (!litmus_counts(c->test, m, deadlock)) {
        out->left_out++;
        return;
    }
    if (c->texts++ % SCRATCH_TEXTS == 0)
        arena_free(&c->scratch);
    const char *text = litmus_state(c->test, m, deadlock, &c->scratch);
    vec_foreach (struct litmus_final, s, &out->states)
        if (!strcmp(s->text, text)) {
            s->count++;
            return;
        }
    vec_push(&out->arena, &out->states,
             (struct litmus_final){.text = arena_strdup(&out->arena, text),
                                   .holds = litmus_holds(c->test->cond, m, deadlock),
                                   .count = 1,
                                   .first_seed = seed});
}

/* ---- sampling ---- */

static void sample(struct final_collector *c, const struct contract *k,
                   const struct litmus_settings *s)
{
    struct litmus_outcome *out = c->out;
    struct machine *m = machine_new(c->test->program, k, (struct machine_options){0});
    struct drive_options o = {.max_transitions = s->runner.max_transitions,
                              .adversary = s->runner.adversary,
                              .pct_depth = s->runner.pct_depth};
    machine_reset(m);
    if (s->runner.driver == DRIVER_PCT) {
        out->pct_agents = pct_agents(m);
        out->pct_steps = o.pct_steps = usual_transitions(m, o.max_transitions);
    }
    for (uint64_t i = 0; i < s->runs; i++) {
        struct drive_result r = {0};
        o.seed = s->seed + i;
        machine_reset(m);
        drivers[s->runner.driver].drive(m, &o, &r);
        out->stopped = r.stopped;
        if (r.stopped)
            break;
        if (r.timed_out)
            out->timed_out++;
        else
            note_final(c, m, !machine_at_end(m), o.seed);
    }
    machine_free(m);
}

/* ---- exploring ---- */

static void on_final(void *ctx, const struct machine *m, bool deadlock)
{
    note_final(ctx, m, deadlock, 0);
}

static void on_progress(void *ctx, const struct explore_progress *p)
{
    const struct final_collector *c = ctx;
    c->settings->on_progress(c->settings->ctx, c->test, p);
}

static void add_registers(uint64_t *masks, const struct litmus_cond *c)
{
    if (c->lhs)
        add_registers(masks, c->lhs);
    if (c->rhs)
        add_registers(masks, c->rhs);
    if (c->kind == LITMUS_REG && c->reg < 64)
        masks[c->core] |= (uint64_t)1 << c->reg;
}

/* The registers that a state shows, or that the filter asks for. */
static const uint64_t *observed_registers(struct final_collector *c)
{
    const struct litmus_test *t = c->test;
    uint64_t *masks = arena_array(&c->out->arena, uint64_t, (size_t)t->program->ncores);
    vec_foreach (const struct litmus_cond *, atom, &t->observed)
        add_registers(masks, *atom);
    if (t->filter)
        add_registers(masks, t->filter);
    return masks;
}

static void explore_all(struct final_collector *c, const struct contract *k,
                        const struct litmus_settings *s)
{
    struct litmus_outcome *out = c->out;
    struct explore_options o = {.threads = s->threads,
                                .reduction = true,
                                .max_states = s->max_states,
                                .max_memory = s->max_memory,
                                .max_transitions = s->max_transitions,
                                .observed = observed_registers(c),
                                .on_final = on_final,
                                .on_progress = s->on_progress ? on_progress : NULL,
                                .ctx = c};
    struct explore_result r;
    explore(c->test->program, k, &o, &r);
    out->complete = r.complete;
    out->machine_states = r.states;
    /* How many machine states end in one printed state is no property of the test. */
    vec_foreach (struct litmus_final, f, &out->states)
        f->count = 1;
}

/* ---- outcomes ---- */

static int by_text(const void *x, const void *y)
{
    return strcmp(((const struct litmus_final *)x)->text, ((const struct litmus_final *)y)->text);
}

void litmus_collect(const struct litmus_test *t, const struct contract *k,
                    const struct litmus_settings *s, struct litmus_outcome *out)
{
    double start = clock_seconds();
    const struct contract *fitted = litmus_contract(&out->arena, k, t);
    struct final_collector c = {.test = t, .settings = s, .out = out};
    (s->explore ? explore_all : sample)(&c, fitted, s);
    arena_free(&c.scratch);
    if (out->states.len)
        qsort(out->states.items, out->states.len, sizeof *out->states.items, by_text);
    vec_foreach (const struct litmus_final, f, &out->states)
        *(f->holds ? &out->with : &out->without) += f->count;
    bool limited = s->explore ? !out->complete : out->timed_out > 0 || out->stopped;
    out->verdict = out->left_out && !out->with && !out->without
                       ? LITMUS_NEVER
                       : litmus_verdict_of(out->with, out->without);
    if (limited && out->verdict != LITMUS_SOMETIMES)
        out->verdict = LITMUS_UNKNOWN;
    out->seconds = clock_seconds() - start;
}

enum litmus_answer litmus_answer(enum litmus_quantifier q, const struct litmus_outcome *o)
{
    uint64_t deciding = q == LITMUS_FORALL ? o->without : o->with;
    if (!deciding && o->verdict == LITMUS_UNKNOWN)
        return ANSWER_UNKNOWN;
    return (deciding > 0) == (q == LITMUS_EXISTS) ? ANSWER_OK : ANSWER_NO;
}

enum litmus_agreement litmus_agree(const struct litmus_outcome *o, enum litmus_verdict expected)
{
    if ((expected == LITMUS_NEVER && o->with) || (expected == LITMUS_ALWAYS && o->without))
        return AGREE_NO;
    if (o->verdict == LITMUS_UNKNOWN || o->verdict == expected)
        return o->verdict == expected ? AGREE_YES : AGREE_UNKNOWN;
    return o->complete ? AGREE_NO : AGREE_NOT_SEEN;
}
