/* SPDX-License-Identifier: MIT */
#include "bench/campaign/equivalence.h"

#include <string.h>

#include "base/table.h"

const char *equivalence_name(enum equivalence_answer a)
{
    static const char *const names[] = {
        [EQUIV_EQUAL] = "equal", [EQUIV_DIFFER] = "differ", [EQUIV_UNKNOWN] = "unknown"};
    ROW_EACH(names, EQUIV_ANSWERS);
    return names[a];
}

enum equivalence_answer equivalence_of_all(const bool seen[EQUIV_ANSWERS])
{
    return seen[EQUIV_DIFFER] ? EQUIV_DIFFER : seen[EQUIV_UNKNOWN] ? EQUIV_UNKNOWN : EQUIV_EQUAL;
}

static void note_only(struct equivalence *e, int i, const char *state)
{
    if (e->outcomes[!i].complete)
        vec_push(&e->outcomes[i].arena, &e->only[i], state);
}

static void merge_states(struct equivalence *e)
{
    const struct litmus_outcome *a = &e->outcomes[0], *b = &e->outcomes[1];
    for (size_t i = 0, k = 0; i < a->states.len || k < b->states.len;) {
        int order = i == a->states.len   ? 1
                    : k == b->states.len ? -1
                                         : strcmp(a->states.items[i].text, b->states.items[k].text);
        if (order < 0)
            note_only(e, 0, a->states.items[i].text);
        if (order > 0)
            note_only(e, 1, b->states.items[k].text);
        e->both += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
}

void equivalence_compare(const struct litmus_test *const tests[SIDES], const struct contract *k,
                         const struct litmus_settings *s, struct equivalence *out)
{
    *out = (struct equivalence){.contract = k};
    for (int i = 0; i < SIDES; i++)
        litmus_collect(tests[i], k, s, &out->outcomes[i]);
    merge_states(out);
    out->complete = out->outcomes[0].complete && out->outcomes[1].complete;
    out->answer = out->only[0].len || out->only[1].len ? EQUIV_DIFFER
                  : out->complete                      ? EQUIV_EQUAL
                                                       : EQUIV_UNKNOWN;
}

void equivalence_free(struct equivalence *e)
{
    for (int i = 0; i < SIDES; i++)
        arena_free(&e->outcomes[i].arena);
}

bool equivalence_same(const struct equivalence *x, const struct equivalence *y)
{
    for (int i = 0; i < SIDES; i++) {
        if (x->only[i].len != y->only[i].len)
            return false;
        for (size_t s = 0; s < x->only[i].len; s++)
            if (strcmp(x->only[i].items[s], y->only[i].items[s]))
                return false;
    }
    return true;
}

/* Of a test that observes deadlocks alone, the other states have no text. */
const char *equivalence_state(const char *state)
{
    return *state ? state : "deadlock=0;";
}

static json_t *only_json(const struct equivalence *e, int side)
{
    json_t *list = json_array();
    vec_foreach (const char *, state, &e->only[side])
        json_array_append_new(list, json_string(equivalence_state(*state)));
    return list;
}

json_t *equivalence_json(const struct equivalence *e)
{
    return json_pack("{s:s, s:s, s:b, s:I, s:o, s:o, s:[I, I]}", "model", e->contract->name,
                     "answer", equivalence_name(e->answer), "complete", e->complete, "both",
                     (json_int_t)e->both, "only_a", only_json(e, 0), "only_b", only_json(e, 1),
                     "machine_states", (json_int_t)e->outcomes[0].machine_states,
                     (json_int_t)e->outcomes[1].machine_states);
}
