/* SPDX-License-Identifier: MIT */
/* JUnit's XML, as CI servers read it: one case a kernel, number of ranks and model, or a mutant of it. */
#include "bench/report/formats.h"
#include "bench/report/html.h"

static void attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    html_text(out, value);
    fputc('"', out);
}

/* <kind message="..." type="...">, whose text the caller puts and ends. */
static void begin(FILE *out, const char *kind, const char *message, const char *type)
{
    fprintf(out, "      <%s", kind);
    attribute(out, "message", message);
    attribute(out, "type", type);
    fputs(">", out);
}

static size_t fresh_findings(const json_t *result)
{
    size_t i, n = 0;
    json_t *f;
    json_array_foreach(json_object_get(result, "findings"), i, f) n +=
        !json_is_true(json_object_get(f, "known"));
    return n;
}

static void put_place(FILE *out, struct arena *a, const json_t *at, const char *text)
{
    html_text(out,
              arena_printf(a, "%s:%d:%d: %s\n", json_text(at, "file"), (int)json_number(at, "line"),
                           (int)json_number(at, "column"), text));
}

/* A case has one failure: several findings stand in its text. */
static void put_failure(FILE *out, struct arena *a, const json_t *result)
{
    size_t i;
    json_t *f;
    bool begun = false;
    json_array_foreach(json_object_get(result, "findings"), i, f)
    {
        if (json_is_true(json_object_get(f, "known")))
            continue;
        if (!begun)
            begin(out, "failure", json_text(f, "message"), json_text(f, "verdict"));
        begun = true;
        put_place(out, a, json_object_get(f, "at"), finding_sentence(a, result, f));
    }
    const char *replay = json_text(result, "replay");
    if (replay)
        html_text(out, arena_printf(a, "replay: %s\n", replay));
    fputs("</failure>\n", out);
}

static void put_case(FILE *out, struct arena *a, const json_t *result)
{
    const char *file = json_text(result, "file");
    fputs("    <testcase", out);
    attribute(out, "classname", json_text(result, "kernel"));
    attribute(out, "name", result_name(a, result));
    if (file)
        attribute(out, "file", file);
    fputs(">\n", out);
    if (fresh_findings(result))
        put_failure(out, a, result);
    else if (result_unfinished(result)) {
        begin(out, "error", result_lacks(result), "unfinished");
        fputs("</error>\n", out);
    }
    fputs("    </testcase>\n", out);
}

static void put_error(FILE *out, struct arena *a, const json_t *error)
{
    const char *file = json_text(error, "file");
    fputs("    <testcase", out);
    attribute(out, "classname", file ? file : "fencebench");
    attribute(out, "name", "compile");
    fputs(">\n", out);
    begin(out, "error", json_text(error, "error"), "not checked");
    if (file)
        put_place(out, a, error, json_text(error, "error"));
    fputs("</error>\n    </testcase>\n", out);
}

void write_junit(FILE *out, struct arena *a, const json_t *report)
{
    json_t *results = json_object_get(report, "results"),
           *broken = json_object_get(report, "errors"), *j;
    size_t i, failures = 0, errors = json_array_size(broken);
    json_array_foreach(results, i, j)
    {
        size_t fresh = fresh_findings(j);
        failures += fresh > 0;
        errors += !fresh && result_unfinished(j);
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    const char *counts =
        arena_printf(a, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"",
                     json_array_size(results) + json_array_size(broken), failures, errors);
    fprintf(out, "<testsuites name=\"fencebench\"%s>\n", counts);
    fprintf(out, "  <testsuite name=\"fencebench %s\"%s>\n", json_text(report, "command"), counts);
    json_array_foreach(results, i, j) put_case(out, a, j);
    json_array_foreach(broken, i, j) put_error(out, a, j);
    fputs("  </testsuite>\n</testsuites>\n", out);
}
