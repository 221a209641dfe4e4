/* SPDX-License-Identifier: MIT */
#include "bench/report/litmus_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/table.h"
#include "bench/report/report.h"
#include "litmus/herd.h"

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

const char *litmus_spelling_name(enum litmus_spelling s)
{
    static const char *const names[] = {[SPELLING_NATIVE] = "native", [SPELLING_HERD] = "herd"};
    ROW_EACH(names, SPELLING_COUNT);
    return names[s];
}

const char *litmus_shown_name(enum litmus_shown s)
{
    static const char *const names[] = {
        [SHOW_ALL] = "all", [SHOW_PROP] = "prop", [SHOW_NEG] = "neg"};
    ROW_EACH(names, SHOW_COUNT);
    return names[s];
}

static bool is_shown(const struct litmus_log *log, const struct litmus_final *f)
{
    return log->shown == SHOW_ALL || f->holds == (log->shown == SHOW_PROP);
}

/* Explored states as herd lists them, sampled ones as litmus does. */
static void print_states(FILE *out, struct arena *a, const struct litmus_settings *s,
                         const struct litmus_log *log, const struct litmus_job *j)
{
    const struct litmus_outcome *o = &j->outcome;
    size_t n = 0;
    vec_foreach (const struct litmus_final, f, &o->states)
        n += is_shown(log, f);
    fprintf(out, s->explore ? "States %zu\n" : "Histogram (%zu states)\n", n);
    vec_foreach (const struct litmus_final, f, &o->states) {
        if (!is_shown(log, f))
            continue;
        if (!s->explore)
            fprintf(out, "%" PRIu64 " %s", f->count, f->holds ? "*>" : ":>");
        fprintf(out, "%s\n",
                log->spelling == SPELLING_HERD ? litmus_herd_state(a, j->test, f->text) : f->text);
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

/* Runs are counted; how many machine states end in a state that does not count is no property of
 * the test. */
static void print_filter(FILE *out, const struct litmus_settings *s, const struct litmus_job *j)
{
    const struct litmus_outcome *r = &j->outcome;
    bool all = !r->states.len && r->left_out;
    fprintf(out, "Filter %s leaves out ", j->test->name);
    if (all || !r->left_out)
        fprintf(out, "%s\n", all ? "every final state" : "nothing");
    else if (s->explore)
        fprintf(out, "final states\n");
    else
        fprintf(out, "%" PRIu64 " of %" PRIu64 " runs\n", r->left_out, s->runs);
}

void litmus_report_log(FILE *out, const struct experiment *x, const struct litmus_settings *s,
                       const struct litmus_log *log, const struct litmus_job *j)
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
    print_states(out, x->arena, s, log, j);
    fprintf(out, "%s\nWitnesses\nPositive: %" PRIu64 " Negative: %" PRIu64 "\n",
            answers[litmus_answer(t->quantifier, r)], forbids ? r->without : r->with,
            forbids ? r->with : r->without);
    fprintf(out, "Condition %s %s\n", litmus_quantifier_name(t->quantifier),
            log->spelling == SPELLING_HERD ? litmus_herd_condition(x->arena, t) : t->cond_text);
    fprintf(out, "Observation %s %s %" PRIu64 " %" PRIu64 "\n", t->name,
            litmus_verdict_name(r->verdict), r->with, r->without);
    fprintf(out, "Time %s %.2f\nHash=%016" PRIx64 "\n", t->name, r->seconds, t->hash);
    if (t->filter)
        print_filter(out, s, j);
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

/* ---- the table ---- */

/* The job of a row under a model, or NULL. */
static const struct litmus_job *job_at(const struct litmus_job *jobs, size_t n,
                                       const struct litmus_job *row, const struct contract *k)
{
    for (size_t i = 0; i < n; i++)
        if (jobs[i].base == row->base && jobs[i].contract == k &&
            !strcmp(jobs[i].test->name, row->test->name))
            return &jobs[i];
    return NULL;
}

static bool is_new_row(const struct litmus_job *jobs, size_t first, size_t i)
{
    for (size_t k = first; k < i; k++)
        if (!strcmp(jobs[k].test->name, jobs[i].test->name))
            return false;
    return true;
}

/* The columns. */
typedef VEC(const struct contract *) table_models;

static table_models models_of(struct arena *a, const struct litmus_job *jobs, size_t n)
{
    table_models models = {0};
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        vec_foreach (const struct contract *, k, &models)
            known |= *k == jobs[i].contract;
        if (!known)
            vec_push(a, &models, jobs[i].contract);
    }
    return models;
}

enum { VERDICT_WIDTH = 10 }; /* of "Sometimes!" */

static int column_width(const struct contract *k)
{
    int n = (int)strlen(k->name);
    return n > VERDICT_WIDTH ? n : VERDICT_WIDTH;
}

static void print_row(FILE *out, const struct litmus_job *jobs, size_t n,
                      const struct litmus_job *row, const table_models *models)
{
    vec_foreach (const struct contract *, k, models) {
        const struct litmus_job *j = job_at(jobs, n, row, *k);
        const char *verdict = j ? litmus_verdict_name(j->outcome.verdict) : "-";
        const char *failed = j && litmus_job_failed(j) ? "!" : "";
        int pad = k + 1 == models->items + models->len
                      ? 0
                      : column_width(*k) - (int)strlen(verdict) - (int)strlen(failed);
        fprintf(out, "  %s%s%*s", verdict, failed, pad, "");
    }
    fprintf(out, "\n");
}

void litmus_report_table(FILE *out, struct arena *a, const struct litmus_job *jobs, size_t n)
{
    table_models models = models_of(a, jobs, n);
    int width = (int)strlen("Test");
    for (size_t i = 0; i < n; i++)
        width = (int)strlen(jobs[i].test->name) > width ? (int)strlen(jobs[i].test->name) : width;
    fprintf(out, "%-*s", width, "Test");
    vec_foreach (const struct contract *, k, &models)
        fprintf(out, "  %-*s", k + 1 == models.items + models.len ? 0 : column_width(*k),
                (*k)->name);
    fprintf(out, "\n");
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && jobs[end].base == jobs[first].base;)
            end++;
        for (size_t i = first; i < end; i++)
            if (is_new_row(jobs, first, i)) {
                fprintf(out, "%-*s", width, jobs[i].test->name);
                print_row(out, jobs + first, end - first, &jobs[i], &models);
            }
    }
}
