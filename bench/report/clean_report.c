/* SPDX-License-Identifier: MIT */
#include "bench/report/clean_report.h"

#include <inttypes.h>

static int line_of(const struct program *p, struct place at)
{
    return at.core < 0 || at.insn < 0 ? 0 : p->cores[at.core].code->insns[at.insn].span.line;
}

static const char *finding_text(struct arena *a, const struct program *p, const struct finding *f)
{
    const char *what = report_what(a, p, f);
    int line = line_of(p, f->reader.core >= 0 ? f->reader : f->producer);
    return line ? arena_printf(a, "%s, %s", what, source_line_words(a, p->source, line)) : what;
}

const char *report_clean_answer(const struct kase *k, const struct clean_answer *x)
{
    struct arena *a = k->of->arena;
    switch (x->kind) {
    case CLEAN_PROVED:
        return arena_printf(a, "%s, %" PRIu64 " states", clean_kind_name(x->kind), x->states);
    case CLEAN_NOT_OBSERVED:
        return arena_printf(a, "%s, %" PRIu64 " runs: less than %.2g %% fail",
                            clean_kind_name(x->kind), x->runs, 100 * clean_bound(x->runs));
    default:
        return finding_text(a, k->program, &x->finding);
    }
}

json_t *report_clean_answer_json(const struct kase *k, const struct clean_answer *x)
{
    bool found = x->kind == CLEAN_NOT;
    json_t *j = json_pack("{s:s, s:s, s:I, s:I}", "model", k->contract->name, "answer",
                          clean_kind_name(x->kind), "machine_states", (json_int_t)x->states, "runs",
                          (json_int_t)x->runs);
    if (x->kind == CLEAN_NOT_OBSERVED)
        json_object_set_new(j, "rate_below", json_real(clean_bound(x->runs)));
    if (!found)
        return j;
    if (!x->states)
        json_object_set_new(j, "seed", json_integer((json_int_t)x->seed));
    json_object_set_new(j, "replay", json_string(clean_replay(k, x)));
    json_object_set_new(j, "finding",
                        report_places_json(k->of->arena, k->program, &x->finding, NULL));
    return j;
}

json_t *report_clean_answers_json(const kases *k, const struct clean_answer *x, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, report_clean_answer_json(&k->items[i], &x[i]));
    return list;
}

json_t *report_expense_json(const struct expense *c)
{
    return json_pack("{s:f, s:f, s:f}", "flushes_per_rank", c->flushes, "fences_per_rank",
                     c->fences, "cycles_mean", c->cycles);
}
