/* SPDX-License-Identifier: MIT */
#include "bench/report/formats.h"

#include <string.h>

#include "base/strbuf.h"

static void write_json(FILE *out, struct arena *a, const json_t *report)
{
    (void)a;
    json_dumpf(report, out, JSON_INDENT(2));
    fputc('\n', out);
}

const struct format_row formats[FORMAT_COUNT] = {
    [FORMAT_TEXT] = {"text", NULL},
    [FORMAT_JSON] = {"json", write_json},
    [FORMAT_SARIF] = {"sarif", write_sarif},
    [FORMAT_JUNIT] = {"junit", write_junit},
    [FORMAT_GITHUB] = {"github", write_github},
};

void format_print(enum format f, json_t *report)
{
    struct arena a = {0};
    formats[f].write(stdout, &a, report);
    json_decref(report);
    arena_free(&a);
}

json_t *error_json(const struct diag *d)
{
    return json_pack("{s:s?, s:i, s:i, s:s}", "file", d->file, "line", d->span.line, "column",
                     d->span.col, "error", d->message);
}

const char *json_text(const json_t *j, const char *key)
{
    return json_string_value(json_object_get(j, key));
}

json_int_t json_number(const json_t *j, const char *key)
{
    return json_integer_value(json_object_get(j, key));
}

const char *result_name(struct arena *a, const json_t *result)
{
    const char *mutant = json_text(result, "what");
    const char *name = arena_printf(a, "%s P=%d %s", json_text(result, "kernel"),
                                    (int)json_number(result, "ranks"), json_text(result, "model"));
    return mutant
               ? arena_printf(a, "%s site %d: %s", name, (int)json_number(result, "site"), mutant)
               : name;
}

bool result_unfinished(const json_t *result)
{
    const char *answer = json_text(result, "answer");
    return answer && !strcmp(answer, "unfinished");
}

const char *result_lacks(const json_t *result)
{
    return json_text(result, "class") ? "no run needs this marker, and there is no proof"
                                      : "ended before an answer";
}

const char *finding_sentence(struct arena *a, const json_t *result, const json_t *finding)
{
    struct strbuf b = strbuf_make(a);
    strbuf_addf(&b, "%s (%s)", json_text(finding, "message"), result_name(a, result));
    const json_t *runs = json_object_get(finding, "runs");
    if (runs)
        strbuf_addf(&b, ", in %lld of %lld runs", (long long)json_integer_value(runs),
                    (long long)json_number(result, "runs"));
    const char *where = json_text(finding, "where"), *remedy = json_text(finding, "remedy");
    if (where && strcmp(where, "-") != 0)
        strbuf_addf(&b, "; the fresh value is %s", where);
    if (remedy)
        strbuf_addf(&b, "; remedy: %s", remedy);
    return b.text;
}

const char *rule_id(struct arena *a, const char *verdict)
{
    char *id = arena_strdup(a, verdict);
    for (char *p = id; *p; p++)
        *p = *p == ' ' || *p == '_' ? '-' : *p;
    return id;
}
