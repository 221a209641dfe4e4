/* SPDX-License-Identifier: MIT */
#include "bench/cli/reporting.h"

#include "bench/cli/commands.h"
#include "bench/report/baseline.h"
#include "bench/report/report.h"

bool reporting_wanted(const struct options *o)
{
    return o->json || o->baseline;
}

/* "put_ring a2a3: stale read of win: part = pl.load(win, ...)" */
static const char *entry_text(struct arena *a, const json_t *e)
{
    const char *tensor = json_text(e, "tensor"),
               *line = json_string_value(json_array_get(json_object_get(e, "lines"), 0));
    return arena_printf(a, "%s %s: %s%s%s%s%s", json_text(e, "kernel"), json_text(e, "model"),
                        json_text(e, "verdict"), tensor && *tensor ? " of " : "",
                        tensor ? tensor : "", line ? ": " : "", line ? line : "");
}

/* Beside the text, and beside other formats on standard error. */
static void say_baseline(struct options *o, const json_t *report)
{
    FILE *out = o->json ? stderr : stdout;
    const json_t *b = json_object_get(report, "baseline"), *fixed = json_object_get(b, "fixed");
    size_t r, i;
    json_t *result, *f;
    fprintf(out, "baseline %s: %lld known, %lld new, %zu fixed%s\n", o->baseline,
            (long long)json_number(b, "known"), (long long)json_number(b, "new"),
            json_array_size(fixed), o->update_baseline ? "; written" : "");
    json_array_foreach(json_object_get(report, "results"), r, result) json_array_foreach(
        json_object_get(result, "findings"), i, f) if (!json_is_true(json_object_get(f, "known")))
        fprintf(out, "    new: %s: %s\n", result_name(&o->arena, result), json_text(f, "message"));
    json_array_foreach(fixed, i, f) fprintf(out, "    fixed: %s\n", entry_text(&o->arena, f));
}

static int without_known(const json_t *report, int code)
{
    size_t i;
    json_t *result;
    if (code != EXIT_FINDINGS || baseline_new(report))
        return code;
    json_array_foreach(json_object_get(report, "results"), i,
                       result) if (result_unfinished(result)) return EXIT_LIMIT;
    return EXIT_CLEAN;
}

int reporting_end(struct options *o, json_t *report, int code)
{
    baseline_name(report);
    if (o->baseline) {
        bool ok = (o->update_baseline ? baseline_update : baseline_compare)(&o->arena, report,
                                                                            o->baseline, &o->diag);
        code = ok ? without_known(report, code) : EXIT_USAGE;
        if (ok)
            say_baseline(o, report);
    }
    if (o->json)
        format_print(o->format, report);
    else
        json_decref(report);
    return code;
}

int reporting_refused(struct options *o, const char *command)
{
    if (o->json)
        format_print(o->format,
                     json_pack("{s:s, s:s, s:s, s:[], s:[o], s:n}", "schema", JSON_SCHEMA,
                               "command", command, "build", build_id(), "results", "errors",
                               error_json(&o->diag), "interrupted"));
    return EXIT_USAGE;
}
