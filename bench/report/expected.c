/* SPDX-License-Identifier: MIT */
#include "bench/report/expected.h"

static const char *broken(struct arena *a, const struct expected *e)
{
    return arena_printf(a, "expected '%s', but it is %s%s", e->what->text,
                        e->what->line ? "then " : "", e->shown);
}

void report_expected(FILE *out, const struct kase *k, const expected_list *list)
{
    size_t holding = 0;
    vec_foreach (const struct expected, e, list) {
        struct source_line at = source_place(k->kernel->source, e->what->at.line);
        holding += e->holds;
        if (!e->holds)
            fprintf(out, "%s:%d:%d: error: %s\n", at.file, at.line, e->what->at.col,
                    broken(k->of->arena, e));
    }
    if (list->len)
        fprintf(out, "    %zu of %zu expectations of the file hold\n", holding, list->len);
}

static void add_broken(json_t *findings, const struct kase *k, const struct expected *e)
{
    struct source_line at = source_place(k->kernel->source, e->what->at.line);
    json_array_append_new(findings,
                          json_pack("{s:s, s:s, s:s, s:{s:s, s:i, s:i, s:s}}", "verdict",
                                    "expectation", "level", "error", "message",
                                    broken(k->of->arena, e), "at", "file", at.file, "line", at.line,
                                    "column", e->what->at.col, "source", e->what->text));
}

json_t *expected_json(json_t *result, const struct kase *k, const expected_list *list)
{
    json_t *rows = json_array(), *findings = json_object_get(result, "findings"), *f;
    size_t i, failed = 0;
    bool covered = list->len && expect_covers(k, list);
    json_array_foreach(findings, i, f) if (covered) json_object_set_new(f, "known", json_true());
    vec_foreach (const struct expected, e, list) {
        json_array_append_new(rows,
                              json_pack("{s:s, s:i, s:b, s:s}", "expect", e->what->text, "line",
                                        e->what->at.line, "holds", e->holds, "shown", e->shown));
        failed += !e->holds;
        if (!e->holds)
            add_broken(findings, k, e);
    }
    if (failed)
        json_object_set_new(result, "answer", json_string("findings"));
    else if (covered && json_array_size(findings))
        json_object_set_new(result, "answer", json_string("expected"));
    if (list->len)
        json_object_set_new(result, "expectations", rows);
    else
        json_decref(rows);
    return result;
}
