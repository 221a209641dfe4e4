/* SPDX-License-Identifier: MIT */
#include "bench/report/baseline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/strbuf.h"
#include "bench/report/formats.h"
#include "bench/report/output.h"

/* The places whose lines tell one finding from another. */
static const char *const sides[] = {"reader", "producer", "wait", "at", "access"};

static const char *text_or(const char *text)
{
    return text ? text : "";
}

/* The tensor, or of a mutant what becomes of which marker. */
static const char *tensor_of(const json_t *finding)
{
    const char *tensor = json_text(finding, "tensor"), *region = json_text(finding, "region");
    return text_or(tensor ? tensor : region ? region : json_text(finding, "mutant"));
}

static json_t *lines_of(const json_t *finding)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const char *line = json_text(json_object_get(finding, sides[i]), "source");
        if (line)
            json_array_append_new(lines, json_string(line));
    }
    return lines;
}

/* What a baseline keeps of a finding; its name is a hash of all of it. */
static json_t *entry_of(const json_t *result, const json_t *finding)
{
    json_t *e =
        json_pack("{s:s, s:s, s:s, s:s, s:o}", "kernel", json_text(result, "kernel"), "model",
                  json_text(result, "model"), "verdict", json_text(finding, "verdict"), "tensor",
                  tensor_of(finding), "lines", lines_of(finding));
    char *text = json_dumps(e, JSON_COMPACT | JSON_SORT_KEYS), name[17];
    snprintf(name, sizeof name, "%016" PRIx64, (uint64_t)XXH64(text, strlen(text), 0));
    free(text);
    json_object_set_new(e, "fingerprint", json_string(name));
    return e;
}

/* Calls fn for each finding of each result. */
static void each_finding(json_t *report, void (*fn)(void *ctx, json_t *result, json_t *finding),
                         void *ctx)
{
    size_t r, i;
    json_t *result, *finding;
    json_array_foreach(json_object_get(report, "results"), r, result)
        json_array_foreach(json_object_get(result, "findings"), i, finding)
            fn(ctx, result, finding);
}

static void name_finding(void *ctx, json_t *result, json_t *finding)
{
    (void)ctx;
    json_t *e = entry_of(result, finding);
    json_object_set(finding, "fingerprint", json_object_get(e, "fingerprint"));
    json_decref(e);
}

void baseline_name(json_t *report)
{
    each_finding(report, name_finding, NULL);
}

/* The entry of that name in a list, or NULL. */
static json_t *entry_named(const json_t *list, const char *name)
{
    size_t i;
    json_t *e;
    json_array_foreach(
        list, i, e) if (!strcmp(text_or(json_text(e, "fingerprint")), text_or(name))) return e;
    return NULL;
}

static json_t *read_entries(struct arena *a, const char *path, struct diag *d)
{
    const struct source *s = source_read(a, path, d);
    json_error_t e;
    json_t *top = s ? json_loads(s->text, 0, &e) : NULL;
    if (s && !top)
        diag_error(d, s, (struct span){e.line, e.column > 0 ? e.column : 1, 1}, "%s", e.text);
    else if (s && (strcmp(text_or(json_text(top, "schema")), BASELINE_SCHEMA) != 0 ||
                   !json_is_array(json_object_get(top, "findings"))))
        diag_file(d, path, "is no baseline: expected \"schema\": \"%s\"", BASELINE_SCHEMA);
    json_t *list = d->failed ? NULL : json_incref(json_object_get(top, "findings"));
    json_decref(top);
    return list;
}

bool baseline_possible(struct arena *a, const char *path, bool update, struct diag *d)
{
    if (!update || access(path, F_OK) == 0)
        json_decref(read_entries(a, path, d));
    return !d->failed && (!update || output_possible(path, d));
}

static void mark_known(void *known, json_t *result, json_t *finding)
{
    (void)result;
    if (entry_named(known, json_text(finding, "fingerprint")))
        json_object_set_new(finding, "known", json_true());
}

struct search {
    const json_t *entry;
    bool found;
};

static void search_entry(void *ctx, json_t *result, json_t *finding)
{
    (void)result;
    struct search *s = ctx;
    s->found |=
        !strcmp(json_text(finding, "fingerprint"), text_or(json_text(s->entry, "fingerprint")));
}

static bool is_shown(json_t *report, const json_t *entry)
{
    struct search s = {.entry = entry};
    each_finding(report, search_entry, &s);
    return s.found;
}

/* A case of the entry's kernel and model was checked, and each such one to its end. */
static bool was_checked(const json_t *report, const json_t *entry)
{
    size_t i, n = 0;
    json_t *r;
    json_array_foreach(json_object_get(report, "results"), i, r)
    {
        if (strcmp(json_text(r, "kernel"), text_or(json_text(entry, "kernel"))) != 0 ||
            strcmp(json_text(r, "model"), text_or(json_text(entry, "model"))) != 0)
            continue;
        n++;
        if (result_unfinished(r))
            return false;
    }
    return n > 0 && !json_is_object(json_object_get(report, "interrupted"));
}

static void count_new(void *ctx, json_t *result, json_t *finding)
{
    (void)result;
    *(size_t *)ctx += !json_is_true(json_object_get(finding, "known"));
}

static void count_all(void *ctx, json_t *result, json_t *finding)
{
    (void)result, (void)finding;
    ++*(size_t *)ctx;
}

size_t baseline_new(const json_t *report)
{
    size_t n = 0;
    each_finding((json_t *)report, count_new, &n);
    return n;
}

static void summarise(json_t *report, const char *path, const json_t *entries)
{
    size_t i, all = 0, fresh = baseline_new(report);
    json_t *e, *fixed = json_array();
    each_finding(report, count_all, &all);
    json_array_foreach(entries, i, e) if (!is_shown(report, e) && was_checked(report, e))
        json_array_append(fixed, e);
    json_object_set_new(report, "baseline",
                        json_pack("{s:s, s:I, s:I, s:o}", "file", path, "known",
                                  (json_int_t)(all - fresh), "new", (json_int_t)fresh, "fixed",
                                  fixed));
}

bool baseline_compare(struct arena *a, json_t *report, const char *path, struct diag *d)
{
    json_t *entries = read_entries(a, path, d);
    if (!entries)
        return false;
    each_finding(report, mark_known, entries);
    summarise(report, path, entries);
    json_decref(entries);
    return true;
}

static void add_entry(void *list, json_t *result, json_t *finding)
{
    if (entry_named(list, json_text(finding, "fingerprint")))
        return;
    json_array_append_new(list, entry_of(result, finding));
}

bool baseline_update(struct arena *a, json_t *report, const char *path, struct diag *d)
{
    size_t i;
    json_t *e, *kept = json_array();
    json_t *old = access(path, F_OK) == 0 ? read_entries(a, path, d) : json_array();
    json_array_foreach(old, i, e) if (is_shown(report, e) || !was_checked(report, e))
        json_array_append(kept, e);
    each_finding(report, add_entry, kept);
    each_finding(report, mark_known, kept);
    json_t *top = json_pack("{s:s, s:o}", "schema", BASELINE_SCHEMA, "findings", kept);
    char *text = json_dumps(top, JSON_INDENT(2));
    if (old) {
        summarise(report, path, old);
        output_text(path, arena_printf(a, "%s\n", text), d);
    }
    free(text);
    json_decref(top);
    json_decref(old);
    return !d->failed;
}
