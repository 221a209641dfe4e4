/* SPDX-License-Identifier: MIT */
#include "bench/report/litmus_witness.h"

#include <inttypes.h>
#include <string.h>

struct witness_target {
    const struct litmus_test *test;
    const char *text; /* the final state, or NULL: any in which */
    bool holds;       /* the proposition is that */
    const char *reached;
    struct arena *arena;
};

static bool is_target(void *ctx, struct machine *m, bool final, bool deadlock)
{
    struct witness_target *t = ctx;
    if (!final || !litmus_counts(t->test, m, deadlock))
        return false;
    struct arena scratch = {0};
    const char *text = litmus_state(t->test, m, deadlock, &scratch);
    bool wanted =
        t->text ? !strcmp(text, t->text) : litmus_holds(t->test->cond, m, deadlock) == t->holds;
    if (wanted)
        t->reached = arena_strdup(t->arena, *text ? text : "a final state");
    arena_free(&scratch);
    return wanted;
}

/* What the outcome has nothing of, in the words of the quantifier. */
static void print_none(const struct litmus_job *j)
{
    const char *verb = j->test->quantifier == LITMUS_EXISTS ? "satisfies" : "violates";
    printf("Witness %s none: no final state %s%s the condition\n", j->test->name,
           j->outcome.complete ? "" : "that was seen before the limit ", verb);
}

bool litmus_show_witness(const struct litmus_job *j, const struct witness_output *show,
                         uint64_t state, struct diag *d)
{
    const struct litmus_test *t = j->test;
    const struct litmus_outcome *r = &j->outcome;
    struct witness_target target = {
        .test = t, .holds = t->quantifier != LITMUS_FORALL, .arena = d->arena};
    if (state > r->states.len)
        return diag_error(d, t->source, (struct span){0},
                          "%zu final state%s found; there is no state %" PRIu64 " to show",
                          r->states.len, r->states.len == 1 ? " was" : "s were", state);
    if (state)
        target.text = r->states.items[state - 1].text;
    else if (!(target.holds ? r->with : r->without)) {
        print_none(j);
        return true;
    }
    struct witness w = {.program = t->program,
                        .contract = litmus_contract(d->arena, j->contract, t)};
    witness_find(&w, is_target, &target, d->arena);
    const char *where = target.reached ? target.reached : "that state";
    if (show->timeline || w.steps < 0)
        printf("Witness %s %s\n", t->name, witness_title(d->arena, &w, where));
    return w.steps < 0 || witness_write(&w, show, d);
}
