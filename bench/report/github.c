/* SPDX-License-Identifier: MIT */
/* Workflow commands of GitHub Actions: one annotation a finding. */
#include "bench/report/formats.h"

#include <string.h>

/* In a property ':' and ',' are escaped too. */
static void put_escaped(FILE *out, const char *text, const char *special)
{
    for (; *text; text++)
        if (strchr(special, *text))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, out);
}

/* column 0, line 0 and file NULL: none; at may be NULL. */
static void annotate(FILE *out, const char *level, const json_t *at, const char *title,
                     const char *text)
{
    static const char in_property[] = "%\r\n:,", in_text[] = "%\r\n";
    const char *file = json_text(at, "file");
    fprintf(out, "::%s ", level);
    if (file) {
        fputs("file=", out);
        put_escaped(out, file, in_property);
        fputc(',', out);
    }
    if (file && json_number(at, "line"))
        fprintf(out, "line=%d,", (int)json_number(at, "line"));
    if (file && json_number(at, "column"))
        fprintf(out, "col=%d,", (int)json_number(at, "column"));
    fputs("title=", out);
    put_escaped(out, title, in_property);
    fputs("::", out);
    put_escaped(out, text, in_text);
    fputc('\n', out);
}

void write_github(FILE *out, struct arena *a, const json_t *report)
{
    size_t r, i;
    json_t *result, *f;
    json_array_foreach(json_object_get(report, "results"), r, result)
    {
        json_array_foreach(json_object_get(result, "findings"), i,
                           f) if (!json_is_true(json_object_get(f, "known")))
            annotate(out, json_text(f, "level"), json_object_get(f, "at"), json_text(f, "verdict"),
                     finding_sentence(a, result, f));
        if (result_unfinished(result))
            annotate(out, "error", result, "unfinished",
                     arena_printf(a, "%s: %s", result_name(a, result), result_lacks(result)));
    }
    json_array_foreach(json_object_get(report, "errors"), i, f)
        annotate(out, "error", f, "not checked", json_text(f, "error"));
}
