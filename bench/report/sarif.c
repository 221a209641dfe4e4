/* SPDX-License-Identifier: MIT */
/*
 * SARIF 2.1.0 (OASIS), as code scanning reads it: one rule a verdict, the code flow of a finding from the
 * write over the wait to the read, and what repairs it as a fix.
 */
#include "bench/report/formats.h"

#include <string.h>

#include "base/strbuf.h"
#include "bench/report/sweep_report.h"
#include "isa/lint/lint.h"
#include "sim/oracle.h"

// clang-format off
#define SARIF_SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
// clang-format on

static const char *const verdict_docs[V_COUNT] = {
    [V_STALE_READ] = "A read returned an older value although a newer write happens before it.",
    [V_OVERRUN_READ] = "A read returned a write that comes after it: the buffer was overwritten "
                       "too early.",
    [V_LOST_WRITE] = "A write was erased by an older value.",
    [V_RACE] = "Two accesses, one of them a write, have no order.",
    [V_DEADLOCK] = "Every core waits, and nothing is left that could end a wait.",
    [V_HANG] = "A core waits for what never comes.",
    [V_FLAG_OVERFLOW] = "A flag between cores is set more often than its counter can hold.",
    [V_WRONG_RESULT] = "The final memory is another one than that of sequential consistency.",
    [V_OUT_OF_BOUNDS] = "An access lies outside of its region.",
    [V_UNINITIALISED] = "A value is read that nothing has written.",
    [V_MISALIGNED] = "An access has an address that the hardware does not take.",
    [V_TIMEOUT] = "A run hit its limit of transitions.",
    [V_REDUNDANT_FLAG] = "A flag is set twice with nothing waiting for it between.",
    [V_UNPAIRED_FLAG] = "A flag is still up when its task ends.",
    [V_UNPAIRED_CROSS] = "A flag between cores is still up when the tasks of its cluster end.",
    [V_MODE_LEFT] = "The atomic mode is still on when its task ends.",
};
static const char *const lint_docs[LINT_RULE_COUNT] = {
    [LINT_DRAIN] = "A pipe may not have done a store that is needed.",
    [LINT_CLEAN] = "A store may be in this core's cache alone.",
    [LINT_ONE_LINE] = "A longer store was cleaned in its first line alone.",
    [LINT_FENCE] = "A store may be on its way to memory.",
    [LINT_INVALIDATE] = "A line in the cache may be older than memory.",
};

static void add_rule(json_t *rules, struct arena *a, const char *name, const char *doc)
{
    json_array_append_new(rules, json_pack("{s:s, s:s, s:{s:s}, s:{s:s}}", "id", rule_id(a, name),
                                           "name", name, "shortDescription", "text", name,
                                           "fullDescription", "text", doc));
}

static json_t *all_rules(struct arena *a)
{
    json_t *rules = json_array();
    for (int v = 0; v < V_COUNT; v++)
        add_rule(rules, a, verdict_name((enum verdict)v), verdict_docs[v]);
    for (int r = 0; r < LINT_RULE_COUNT; r++)
        add_rule(rules, a, lint_rule_name((enum lint_rule)r), lint_docs[r]);
    for (int f = 0; f < FATE_COUNT; f++)
        add_rule(rules, a, fate_name((enum fate)f), sweep_class_doc((enum fate)f));
    add_rule(rules, a, "expectation", "The kernel's file expects another answer.");
    return rules;
}

static int rule_index(const json_t *rules, const char *id)
{
    size_t i;
    json_t *rule;
    json_array_foreach(rules, i, rule) if (!strcmp(json_text(rule, "id"), id)) return (int)i;
    return -1;
}

/* A path as a relative reference, or file:// of an absolute one. */
static const char *uri_of(struct arena *a, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~/";
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, *path == '/' ? "file://" : "");
    for (; *path; path++)
        if (strchr(plain, *path))
            strbuf_addn(&b, path, 1);
        else
            strbuf_addf(&b, "%%%02X", (unsigned char)*path);
    return b.text;
}

static json_t *artifact(struct arena *a, const char *file)
{
    return json_pack("{s:s}", "uri", uri_of(a, file));
}

/* NULL where the place is in no file. */
static json_t *location(struct arena *a, const json_t *place, const char *message)
{
    const char *file = json_text(place, "file"), *source = json_text(place, "source");
    int line = (int)json_number(place, "line"), col = (int)json_number(place, "column");
    if (!file)
        return NULL;
    json_t *physical = json_pack("{s:o}", "artifactLocation", artifact(a, file));
    if (line > 0) {
        json_t *region =
            json_pack("{s:i, s:i}", "startLine", line, "startColumn", col < 1 ? 1 : col);
        if (source)
            json_object_set_new(region, "snippet", json_pack("{s:s}", "text", source));
        json_object_set_new(physical, "region", region);
    }
    json_t *l = json_pack("{s:o}", "physicalLocation", physical);
    if (message)
        json_object_set_new(l, "message", json_pack("{s:s}", "text", message));
    return l;
}

/* What the places of a finding are, in the order in which its story is told. */
static const struct {
    const char *key, *what;
} steps[] = {
    {"returned", "the value that was returned was written here"},
    {"producer", "the write, or the other access"},
    {"culprit", "what erased it"},
    {"wait", "the wait through which it comes first"},
    {"reader", "the read, or the access at fault"},
    {"access", "the access whose effect is missing"},
    {"partial", "what cleans a part of it"},
};

static json_t *code_flows(struct arena *a, const json_t *finding)
{
    json_t *flow = json_array();
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const json_t *place = json_object_get(finding, steps[i].key);
        const char *core = json_text(place, "core"), *pipe = json_text(place, "pipe");
        const char *what = core && pipe
                               ? arena_printf(a, "%s (core %s, pipe %s)", steps[i].what, core, pipe)
                               : steps[i].what;
        json_t *l = location(a, place, what);
        if (l)
            json_array_append_new(flow, json_pack("{s:o}", "location", l));
    }
    if (!json_array_size(flow)) {
        json_decref(flow);
        return NULL;
    }
    return json_pack("[{s:[{s:o}]}]", "threadFlows", "locations", flow);
}

static json_t *replacement(const json_t *edit)
{
    int line = (int)json_number(edit, "line"), col = (int)json_number(edit, "column");
    return json_pack("{s:{s:i, s:i, s:i, s:i}, s:{s:s}}", "deletedRegion", "startLine", line,
                     "startColumn", col, "endLine", line, "endColumn", col, "insertedContent",
                     "text", json_text(edit, "insert"));
}

/* One change a file. */
static json_t *fixes(struct arena *a, const json_t *finding)
{
    json_t *edits = json_object_get(finding, "edit"), *edit, *changes = json_array();
    json_t *by_file = json_object(), *list;
    size_t i;
    const char *file;
    json_array_foreach(edits, i, edit)
    {
        file = json_text(edit, "file");
        if (!json_object_get(by_file, file ? file : ""))
            json_object_set_new(by_file, file ? file : "", json_array());
        json_array_append_new(json_object_get(by_file, file ? file : ""), replacement(edit));
    }
    json_object_foreach(by_file, file, list)
        json_array_append_new(changes, json_pack("{s:o, s:O}", "artifactLocation",
                                                 artifact(a, file), "replacements", list));
    json_decref(by_file);
    if (!json_array_size(changes)) {
        json_decref(changes);
        return NULL;
    }
    const char *remedy = json_text(finding, "remedy");
    return json_pack("[{s:{s:s}, s:o}]", "description", "text", remedy ? remedy : "insert a marker",
                     "artifactChanges", changes);
}

static void set_some(json_t *j, const char *key, json_t *value)
{
    if (value)
        json_object_set_new(j, key, value);
}

static json_t *result_of(struct arena *a, const json_t *rules, const json_t *result,
                         const json_t *finding)
{
    const char *id = rule_id(a, json_text(finding, "verdict"));
    json_t *at = location(a, json_object_get(finding, "at"), NULL);
    json_t *j = json_pack("{s:s, s:i, s:s, s:{s:s}}", "ruleId", id, "ruleIndex",
                          rule_index(rules, id), "level", json_text(finding, "level"), "message",
                          "text", finding_sentence(a, result, finding));
    set_some(j, "locations", at ? json_pack("[o]", at) : NULL);
    set_some(j, "codeFlows", code_flows(a, finding));
    set_some(j, "fixes", fixes(a, finding));
    const char *print = json_text(finding, "fingerprint");
    if (print)
        json_object_set_new(j, "partialFingerprints", json_pack("{s:s}", "fencebench/v1", print));
    if (json_is_true(json_object_get(finding, "known")))
        json_object_set_new(j, "baselineState", json_string("unchanged"));
    json_t *properties = json_pack("{s:s?, s:O?}", "kernel", json_text(result, "kernel"), "scope",
                                   json_object_get(result, "scope"));
    set_some(properties, "replay", json_incref(json_object_get(result, "replay")));
    json_object_set_new(j, "properties", properties);
    return j;
}

static void notify(json_t *list, struct arena *a, const json_t *at, const char *text)
{
    json_t *l = location(a, at, NULL);
    json_t *n = json_pack("{s:s, s:{s:s}}", "level", "error", "message", "text", text);
    if (l)
        json_object_set_new(n, "locations", json_pack("[o]", l));
    json_array_append_new(list, n);
}

/* Whether all was checked: what was not, and what ended early, stands in the notifications. */
static json_t *invocation(struct arena *a, const json_t *report)
{
    json_t *notes = json_array(), *j;
    size_t i;
    json_array_foreach(json_object_get(report, "errors"), i, j)
        notify(notes, a, j, json_text(j, "error"));
    json_array_foreach(json_object_get(report, "results"), i, j) if (result_unfinished(j))
        notify(notes, a, j, arena_printf(a, "%s: %s", result_name(a, j), result_lacks(j)));
    return json_pack("{s:b, s:o}", "executionSuccessful", json_array_size(notes) == 0,
                     "toolExecutionNotifications", notes);
}

void write_sarif(FILE *out, struct arena *a, const json_t *report)
{
    json_t *rules = all_rules(a), *list = json_array(), *result, *finding;
    size_t r, i;
    json_array_foreach(json_object_get(report, "results"), r, result)
        json_array_foreach(json_object_get(result, "findings"), i, finding)
            json_array_append_new(list, result_of(a, rules, result, finding));
    json_t *driver = json_pack(
        "{s:s, s:s, s:s, s:o}", "name", "fencebench", "version", json_text(report, "build"),
        "fullName", arena_printf(a, "fencebench %s", json_text(report, "command")), "rules", rules);
    json_t *run =
        json_pack("{s:{s:o}, s:[o], s:s, s:o}", "tool", "driver", driver, "invocations",
                  invocation(a, report), "columnKind", "unicodeCodePoints", "results", list);
    json_t *log =
        json_pack("{s:s, s:s, s:[o]}", "$schema", SARIF_SCHEMA, "version", "2.1.0", "runs", run);
    json_dumpf(log, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(log);
}
