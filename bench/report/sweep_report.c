/* SPDX-License-Identifier: MIT */
#include "bench/report/sweep_report.h"

#include <string.h>

#include "bench/report/columns.h"
#include "bench/report/report.h"

static const char *const docs[FATE_COUNT] = {
    [FATE_KILLED] = "Without this marker, or with a weaker one, a run or a state shows a finding.",
    [FATE_REDUNDANT] = "Without this marker the kernel does the same: proved.",
    [FATE_GIVEN] = "Another marker does the same: one of them is enough.",
    [FATE_FEWER] = "Without this marker the kernel shows fewer findings: proved.",
    [FATE_NOT_REACHED] = "No run comes to this marker: proved.",
    [FATE_NOT_OBSERVED] = "No run needs this marker, and there is no proof.",
    [FATE_UNKNOWN] = "Runs without this marker hit their limit.",
};

const char *sweep_class_doc(enum fate f)
{
    return docs[f];
}

static bool has_answer(enum fate f)
{
    return f != FATE_NOT_OBSERVED && f != FATE_UNKNOWN;
}

/* "fence: dsb removed: redundant (nothing was issued since the barrier of ...)" */
static const char *message(struct arena *a, const struct sweep_item *item)
{
    const struct sweep_row *r = &item->row;
    const char *why = *r->others ? arena_printf(a, "site %s", r->others)
                      : *r->why  ? r->why
                                 : r->finding;
    bool weaker = item->subject->list.items[item->mutant].how != NULL;
    return arena_printf(a, "%s%s: %s%s%s%s", r->what, weaker ? "" : " removed", r->class,
                        *why ? " (" : "", why, *why ? ")" : "");
}

static json_t *finding_of(struct arena *a, const struct sweep_item *item)
{
    const struct sweep_row *r = &item->row;
    const struct program *p = item->subject->kase->program;
    const struct span at = p->sites[r->site].span;
    return json_pack("{s:s, s:s, s:s, s:s, s:{s:s?, s:i, s:i, s:s?}}", "verdict", r->class, "level",
                     "error", "message", message(a, item), "mutant",
                     arena_printf(a, "%s %s", r->level, r->what), "at", "file", r->file, "line",
                     r->line, "column", at.col, "source", report_line(a, p, at.line));
}

static json_t *mutant_json(struct arena *a, const struct sweep_item *item, unsigned fail_on)
{
    const struct sweep_row *r = &item->row;
    enum fate f = sweep_fate(r);
    bool fails = fail_on >> f & 1;
    json_t *j = columns_json_row(&sweep_columns, r), *findings = json_array();
    if (fails)
        json_array_append_new(findings, finding_of(a, item));
    json_object_set_new(j, "toolchain", json_string(r->toolchain));
    json_object_set_new(j, "answer",
                        json_string(fails           ? "findings"
                                    : has_answer(f) ? "clean"
                                                    : "unfinished"));
    json_object_set_new(j, "findings", findings);
    if (*r->certificate)
        json_object_set_new(j, "replay", json_string(r->certificate));
    return j;
}

/* Its runs, and where none of them failed what the states of the same program show. */
static json_t *unchanged_json(const struct subject *s)
{
    struct kase k = *s->kase;
    const struct behaviour *b = &s->base;
    if (!k.tally.failed && s->max_states) {
        k.program = s->program;
        k.glance = (struct glance){.complete = b->complete, .states = b->states};
    }
    if (!k.tally.failed && b->findings.len) {
        k.glance.found = true;
        k.glance.first = oracle_finding(b->findings.items[0].verdict, b->findings.items[0].addr);
    }
    return report_case_json(&k);
}

json_t *sweep_report(const struct sweep_plan *plan, const struct sweep_results *r, unsigned fail_on,
                     json_t *interrupted)
{
    struct arena *a = plan->x->arena;
    json_t *results = json_array(), *unchanged = json_array();
    vec_foreach (const struct subject, s, &r->subjects)
        json_array_append_new(unchanged, unchanged_json(s));
    vec_foreach (const struct sweep_item, item, &r->items)
        json_array_append_new(results, mutant_json(a, item, fail_on));
    vec_foreach (const struct sweep_item, item, &r->pairs)
        json_array_append_new(results, mutant_json(a, item, 0));
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:[], s:o}", "schema", JSON_SCHEMA, "command",
                     "sweep", "build", build_id(), "toolchain", plan->x->toolchain_name,
                     "unchanged", unchanged, "results", results, "errors", "interrupted",
                     interrupted);
}

void sweep_report_flatten(json_t *report)
{
    json_t *all = json_incref(json_object_get(report, "unchanged"));
    json_array_extend(all, json_object_get(report, "results"));
    json_object_del(report, "unchanged");
    json_object_set_new(report, "results", all);
}
