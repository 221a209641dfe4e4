/* SPDX-License-Identifier: MIT */
#include "bench/report/litmus_report.h"

#include <inttypes.h>

#include "base/strbuf.h"
#include "base/table.h"
#include "bench/report/report.h"

enum litmus_agreement litmus_job_agreement(const struct litmus_job *j)
{
    return j->expect ? litmus_agree(&j->outcome, j->expect->verdict) : AGREE_NONE;
}

bool litmus_job_failed(const struct litmus_job *j)
{
    if (j->expect)
        return litmus_job_agreement(j) == AGREE_NO;
    enum litmus_quantifier q = j->test->quantifier;
    return q != LITMUS_EXISTS && litmus_answer(q, &j->outcome) == ANSWER_NO;
}

bool litmus_job_unknown(const struct litmus_job *j)
{
    return j->expect ? litmus_job_agreement(j) == AGREE_UNKNOWN
                     : litmus_answer(j->test->quantifier, &j->outcome) == ANSWER_UNKNOWN;
}

/* ---- the log ---- */

static const char *engine_text(struct arena *a, const struct litmus_settings *s,
                               const struct litmus_outcome *o)
{
    if (s->explore)
        return arena_printf(a, "explored, %" PRIu64 " machine states%s", o->machine_states,
                            o->complete ? "" : ", a limit was hit");
    return arena_printf(a, "%s driver, %" PRIu64 " runs from seed %" PRIu64,
                        drivers[s->runner.driver].name, s->runs, s->seed);
}

static void print_states(FILE *out, const struct litmus_settings *s, const struct litmus_outcome *o)
{
    fprintf(out, "States %zu\n", o->states.len);
    vec_foreach (const struct litmus_final, f, &o->states) {
        if (!s->explore)
            fprintf(out, "%" PRIu64 " %s", f->count, f->holds ? "*>" : ":>");
        fprintf(out, "%s\n", f->text);
    }
}

/* The first seed that shows what the expectation, or the quantifier, denies. */
static const struct litmus_final *counterexample(const struct litmus_job *j)
{
    bool wanted =
        j->expect ? j->expect->verdict == LITMUS_ALWAYS : j->test->quantifier == LITMUS_FORALL;
    const struct litmus_final *best = NULL;
    vec_foreach (const struct litmus_final, f, &j->outcome.states)
        if (f->holds != wanted && (!best || f->first_seed < best->first_seed))
            best = f;
    return best;
}

static const char *replay(struct arena *a, const struct experiment *x,
                          const struct litmus_settings *s, const struct litmus_job *j)
{
    struct strbuf b = strbuf_make(a);
    strbuf_addf(&b, "fencebench litmus %s --model=%s --toolchain=%s",
                shell_word(a, j->test->source->name), experiment_model_word(x, j->contract),
                shell_word(a, x->toolchain_name));
    if (j->removed)
        strbuf_addf(&b, " --remove=%s", j->removed);
    if (s->explore) {
        strbuf_add(&b, " --explore");
        if (s->max_states)
            strbuf_addf(&b, " --max-states=%" PRIu64, s->max_states);
        return b.text;
    }
    if (s->runner.driver != DRIVER_TIMED)
        strbuf_addf(&b, " --driver=%s", drivers[s->runner.driver].name);
    else if (!s->runner.adversary)
        strbuf_add(&b, " --timing=typical");
    if (s->runner.driver == DRIVER_PCT)
        strbuf_addf(&b, " --pct-depth=%d", s->runner.pct_depth);
    const struct litmus_final *f = counterexample(j);
    strbuf_addf(&b, " --seed=%" PRIu64 " --runs=1", f ? f->first_seed : s->seed);
    return b.text;
}

static const char *agreement_name(enum litmus_agreement g)
{
    static const char *const names[] = {AGREEMENTS(NAME_ROW)};
    return names[g];
}

static void print_expectation(FILE *out, const struct litmus_settings *s,
                              const struct litmus_job *j)
{
    enum litmus_agreement g = litmus_job_agreement(j);
    fprintf(out, "Expect %s %s: %s%s", j->test->name, litmus_verdict_name(j->expect->verdict),
            agreement_name(g), g == AGREE_UNKNOWN ? ", a limit was hit" : "");
    if (g == AGREE_NOT_SEEN)
        fprintf(out, " in %" PRIu64 " runs", s->runs);
    fprintf(out, " (%s:%d)\n", j->test->source->name, j->expect->span.line);
}

static void print_bound(FILE *out, struct arena *a, const struct litmus_settings *s,
                        const struct litmus_job *j)
{
    const struct litmus_outcome *o = &j->outcome;
    fprintf(out, "Pct %s %s; seen in %" PRIu64 " of %" PRIu64 "\n", j->test->name,
            report_bound(a, o->pct_agents, o->pct_steps, s->runner.pct_depth), o->with, s->runs);
}

void litmus_report_log(FILE *out, const struct experiment *x, const struct litmus_settings *s,
                       const struct litmus_job *j)
{
    const struct litmus_test *t = j->test;
    const struct litmus_outcome *r = &j->outcome;
    static const char *const answers[] = {
        [ANSWER_NO] = "No", [ANSWER_OK] = "Ok", [ANSWER_UNKNOWN] = "?? a limit was hit"};
    ROW_EACH(answers, ANSWER_COUNT);
    /* Positive counts what meets the condition */
    bool forbids = t->quantifier == LITMUS_NOT_EXISTS;
    fprintf(out, "Test %s %s\n", t->name, litmus_kind_name(t->quantifier));
    fprintf(out, "Model %s, toolchain %s, %s\n", j->contract->name, x->toolchain_name,
            engine_text(x->arena, s, r));
    print_states(out, s, r);
    fprintf(out, "%s\nWitnesses\nPositive: %" PRIu64 " Negative: %" PRIu64 "\n",
            answers[litmus_answer(t->quantifier, r)], forbids ? r->without : r->with,
            forbids ? r->with : r->without);
    fprintf(out, "Condition %s %s\n", litmus_quantifier_name(t->quantifier), t->cond_text);
    fprintf(out, "Observation %s %s %" PRIu64 " %" PRIu64 "\n", t->name,
            litmus_verdict_name(r->verdict), r->with, r->without);
    fprintf(out, "Time %s %.2f\nHash=%016" PRIx64 "\n", t->name, r->seconds, t->hash);
    if (r->timed_out)
        fprintf(out, "Timeout %s %" PRIu64 " runs reached %" PRIu64 " transitions\n", t->name,
                r->timed_out, s->runner.max_transitions);
    if (r->pct_agents)
        print_bound(out, x->arena, s, j);
    if (j->expect)
        print_expectation(out, s, j);
    if (litmus_job_failed(j) || litmus_job_unknown(j))
        fprintf(out, "Replay %s (build %s)\n", replay(x->arena, x, s, j), build_id());
    fprintf(out, "\n");
}

/* ---- JSON ---- */

static json_t *states_json(const struct litmus_settings *s, const struct litmus_outcome *o)
{
    json_t *list = json_array();
    vec_foreach (const struct litmus_final, f, &o->states) {
        json_t *n = json_pack("{s:s, s:b}", "state", f->text, "holds", f->holds);
        if (!s->explore) {
            json_object_set_new(n, "count", json_integer((json_int_t)f->count));
            json_object_set_new(n, "first_seed", json_integer((json_int_t)f->first_seed));
        }
        json_array_append_new(list, n);
    }
    return list;
}

static json_t *engine_json(const struct litmus_settings *s, const struct litmus_outcome *o)
{
    if (s->explore)
        return json_pack("{s:s, s:I, s:b}", "name", "explore", "machine_states",
                         (json_int_t)o->machine_states, "complete", o->complete);
    json_t *n = json_pack("{s:s, s:I, s:I, s:I}", "name", drivers[s->runner.driver].name, "runs",
                          (json_int_t)s->runs, "seed", (json_int_t)s->seed, "timed_out",
                          (json_int_t)o->timed_out);
    if (o->pct_agents)
        json_object_set_new(n, "pct",
                            json_pack("{s:i, s:I, s:i}", "agents", o->pct_agents, "steps",
                                      (json_int_t)o->pct_steps, "depth", s->runner.pct_depth));
    return n;
}

static json_t *met_json(enum litmus_answer answer)
{
    return answer == ANSWER_UNKNOWN ? json_null() : json_boolean(answer == ANSWER_OK);
}

json_t *litmus_report_json(const struct experiment *x, const struct litmus_settings *s,
                           const struct litmus_job *j)
{
    const struct litmus_test *t = j->test;
    const struct litmus_outcome *r = &j->outcome;
    const char *expected = j->expect ? litmus_verdict_name(j->expect->verdict) : NULL;
    const char *hash = arena_printf(x->arena, "%016" PRIx64, t->hash);
    const char *condition =
        arena_printf(x->arena, "%s %s", litmus_quantifier_name(t->quantifier), t->cond_text);
    return json_pack(
        "{s:s, s:s, s:s?, s:s, s:s, s:s, s:s, s:o, s:o, s:s, s:I, s:I, s:o, s:s?, s:s, s:s, s:f}",
        "name", t->name, "file", t->source->name, "removed", j->removed, "kind",
        litmus_kind_name(t->quantifier), "condition", condition, "model", j->contract->name,
        "toolchain", x->toolchain_name, "engine", engine_json(s, r), "states", states_json(s, r),
        "verdict", litmus_verdict_name(r->verdict), "with", (json_int_t)r->with, "without",
        (json_int_t)r->without, "met", met_json(litmus_answer(t->quantifier, r)), "expected",
        expected, "agreement", agreement_name(litmus_job_agreement(j)), "hash", hash, "seconds",
        r->seconds);
}
