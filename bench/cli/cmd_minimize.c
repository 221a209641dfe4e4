/* SPDX-License-Identifier: MIT */
/*
 * fencebench minimize: which of a kernel's markers are enough.
 *
 * Greedy deletion, the dearest marker first. Each deletion is tried on the program without those
 * that have gone before; what stays has a certificate: the finding that its deletion brings.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/campaign/greedy.h"
#include "base/stop.h"
#include "bench/cli/commands.h"
#include "bench/cli/proof.h"
#include "bench/report/clean_report.h"
#include "bench/report/output.h"

enum { KEY_ORIGINS = 0x200 };

struct marker_row {
    int site; /* its first */
    int line;
    const char *file; /* that line counts in */
    const char *origin, *what, *anchor;
    uint64_t executed;
    double flushes, cycles; /* that go with it alone */
    const char *answer;     /* "delete", "keep", "not reached" */
    const char *model, *why, *replay;
    struct clean_answer certificate;
    struct kase certified; /* the case that has it */
};
typedef VEC(struct marker_row) marker_rows;

struct minimize {
    struct proof p;   /* first: argp children get it as struct options */
    unsigned origins; /* bit per enum origin_kind */
    kases cases;      /* those in which the unchanged kernel is clean */
    marker_rows markers;
    size_t *tried; /* those that can be judged, in order; index into markers */
    size_t ntried;
    struct clean_answer *whole, *answers; /* of every case of p, and of the program that is left */
    struct expense before, after;
};

static const struct argp_option minimize_options[] = {
    {"origins", KEY_ORIGINS, "LIST", 0,
     "Markers that may go: W1,W2,W3,R1,by-hand,codegen,macro,auto-sync,entry,tail (default: the "
     "first five)",
     3},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct minimize *m = s->input;
    if (key == KEY_ORIGINS) {
        m->origins = option_origins(&m->p.o, arg, s);
        return 0;
    }
    return proof_key(&m->p, key, arg, s) ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    minimize_options,
    parse,
    "FILE",
    "Delete markers greedily, the dearest first, as long as the kernel stays clean under every "
    "contract: runs first, then every state. Says which can go together, and shows for each that "
    "stays what goes wrong without it.",
    proof_children,
    NULL,
    NULL};

/* ---- the markers ---- */

/* The case without the markers that are marked in deleted[], an index into m->markers each. */
static struct kase without(const struct minimize *m, const struct kase *k, const bool *deleted)
{
    const struct program *p = k->program;
    bool *removed = arena_array(k->of->arena, bool, (size_t)p->nsites + 1);
    for (int i = 0; i < p->nsites; i++)
        for (size_t n = 0; n < m->markers.len; n++)
            removed[i] |= deleted[n] && p->sites[i].marker == m->markers.items[n].site;
    return kase_without(k, removed);
}

/* "fence" of "fence: barrier all": the statement, not one of its instructions. */
static const char *statement_name(struct arena *a, const struct site *s)
{
    return arena_strndup(a, s->what, strcspn(s->what, ":"));
}

static void list_markers(struct minimize *m)
{
    struct arena *a = &m->p.o.arena;
    const struct kase *k = m->cases.items;
    const uint64_t *by_site = case_executed(k, a);
    uint64_t *executed = arena_array(a, uint64_t, (size_t)k->program->nsites + 1);
    for (int i = 0; i < k->program->nsites; i++)
        executed[k->program->sites[i].marker] += by_site[i];
    for (int i = 0; i < k->program->nsites; i++) {
        const struct site *s = &k->program->sites[i];
        if (s->marker != i || !(m->origins >> s->origin & 1))
            continue;
        struct source_line line = source_place(k->kernel->source, s->span.line);
        vec_push(a, &m->markers,
                 (struct marker_row){.site = i,
                                     .line = line.line,
                                     .file = line.file,
                                     .origin = origin_name(s->origin),
                                     .what = statement_name(a, s),
                                     .anchor = s->anchor ? s->anchor : "-",
                                     .executed = executed[i],
                                     .answer = executed[i] ? "keep" : "not reached"});
    }
}

static void measure(struct minimize *m)
{
    struct arena *a = &m->p.o.arena;
    bool *alone = arena_array(a, bool, m->markers.len + 1);
    for (size_t i = 0; i < m->markers.len; i++) {
        struct marker_row *r = &m->markers.items[i];
        if (!r->executed)
            continue;
        alone[i] = true;
        struct kase k = without(m, m->cases.items, alone);
        struct expense c = kase_expense(&k);
        alone[i] = false;
        r->flushes = m->before.flushes - c.flushes;
        r->cycles = m->before.cycles - c.cycles;
    }
}

static int dearer(const void *x, const void *y, void *ctx)
{
    const struct minimize *m = ctx;
    const struct marker_row *a = &m->markers.items[*(const size_t *)x],
                            *b = &m->markers.items[*(const size_t *)y];
    const struct expense p = {.flushes = a->flushes, .cycles = a->cycles},
                         q = {.flushes = b->flushes, .cycles = b->cycles};
    int order = expense_compare_dearer(&p, &q);
    return order ? order : (a->site > b->site) - (a->site < b->site);
}

static void order_markers(struct minimize *m)
{
    m->tried = arena_array(&m->p.o.arena, size_t, m->markers.len + 1);
    for (size_t i = 0; i < m->markers.len; i++)
        if (m->markers.items[i].executed)
            m->tried[m->ntried++] = i;
    qsort_r(m->tried, m->ntried, sizeof *m->tried, dearer, m);
}

/* ---- deletion ---- */

static bool enough(void *ctx, const bool *deleted, size_t member)
{
    struct minimize *m = ctx;
    struct arena *a = &m->p.o.arena;
    struct marker_row *r = &m->markers.items[member];
    kases left = {0};
    vec_foreach (const struct kase, k, &m->cases)
        vec_push(a, &left, without(m, k, deleted));
    struct clean_answer *answers = arena_array(a, struct clean_answer, left.len);
    size_t first = kases_clean(&left, &m->p.plan, answers);
    if (stop_wanted()) {
        r->answer = r->why ? r->answer : "not tried";
        return false;
    }
    if (first == left.len) {
        m->answers = answers;
        r->answer = "delete";
        r->model = r->why = r->replay = NULL;
        return true;
    }
    r->certified = left.items[first];
    r->certificate = answers[first];
    r->model = r->certified.contract->name;
    r->why = report_clean_answer(&r->certified, &r->certificate);
    r->replay = clean_replay(&r->certified, &r->certificate);
    return false;
}

/* Sets the cases aside in which the kernel itself fails. False when none is left. */
static bool judge_whole(struct minimize *m)
{
    struct arena *a = &m->p.o.arena;
    size_t n = m->p.cases.len;
    m->whole = arena_array(a, struct clean_answer, n);
    m->answers = arena_array(a, struct clean_answer, n);
    for (size_t i = 0; i < n; i++) {
        kases one = {.items = &m->p.cases.items[i], .len = 1};
        kases_clean(&one, &m->p.plan, &m->whole[i]);
        if (m->whole[i].kind == CLEAN_NOT)
            continue;
        m->answers[m->cases.len] = m->whole[i];
        vec_push(a, &m->cases, *one.items);
    }
    return m->cases.len > 0;
}

static void minimize(struct minimize *m)
{
    bool *deleted = arena_array(&m->p.o.arena, bool, m->markers.len + 1);
    struct greedy g = {m->ntried, m->markers.len, m->tried, enough, m};
    greedy_delete(&g, deleted);
    struct kase left = without(m, m->cases.items, deleted);
    m->after = kase_expense(&left);
}

/* ---- output ---- */

static size_t count(const struct minimize *m, const char *answer)
{
    size_t n = 0;
    vec_foreach (const struct marker_row, r, &m->markers)
        n += !strcmp(r->answer, answer);
    return n;
}

static void print_marker(const struct marker_row *r)
{
    printf("  %4d %5d  %-8s %-20s %-24s %8.4g %8.0f  %s", r->site, r->line, r->origin, r->what,
           r->anchor, r->flushes, r->cycles, r->answer);
    if (r->why)
        printf(": %s: %s", r->model, r->why);
    printf("\n");
    if (r->replay)
        printf("%*s%s\n", 14, "", r->replay);
}

static void print_saved(const char *what, int digits, double before, double after)
{
    printf("  %-18s %10.*f -> %.*f", what, digits, before, digits, after);
    if (before > 0)
        printf(" (%.0f %% saved)", 100 * (before - after) / before);
    printf("\n");
}

static void print_deletions(const struct minimize *m)
{
    if (!count(m, "delete"))
        return;
    printf("to delete:\n");
    vec_foreach (const struct marker_row, r, &m->markers)
        if (!strcmp(r->answer, "delete"))
            printf("  %s:%d: %s (%s), at %s\n", r->file, r->line, r->what, r->origin, r->anchor);
}

static void print_head(const struct minimize *m)
{
    const struct kase *k = m->p.cases.items;
    printf("%s P=%d %s: ", k->kernel->name, k->nranks, m->p.o.x.toolchain_name);
    if (m->cases.len)
        printf("%zu of %zu markers can go together\n", count(m, "delete"), m->markers.len);
    else
        printf("not clean as it is; repair finds the markers that it lacks\n");
    for (size_t i = 0; i < m->p.cases.len; i++)
        if (m->whole[i].kind == CLEAN_NOT)
            printf("  %s: set aside, the kernel itself fails: %s\n%*s%s\n", k[i].contract->name,
                   report_clean_answer(&k[i], &m->whole[i]), 14, "",
                   clean_replay(&k[i], &m->whole[i]));
}

static void print_text(const struct minimize *m)
{
    print_head(m);
    if (!m->cases.len)
        return;
    printf("  %4s %5s  %-8s %-20s %-24s %8s %8s\n", "site", "line", "origin", "marker", "at",
           "flushes", "cycles");
    vec_foreach (const struct marker_row, r, &m->markers)
        print_marker(r);
    print_deletions(m);
    if (stop_wanted())
        return;
    printf("what is left:\n");
    for (size_t i = 0; i < m->cases.len; i++)
        printf("  %-18s %s\n", m->cases.items[i].contract->name,
               report_clean_answer(&m->cases.items[i], &m->answers[i]));
    print_saved("flushes per rank", 2, m->before.flushes, m->after.flushes);
    print_saved("fences per rank", 2, m->before.fences, m->after.fences);
    print_saved("cycles", 0, m->before.cycles, m->after.cycles);
    printf(
        "flushes and cycles: what goes with the marker alone, in %d usual runs under %s; each was "
        "tried without those that can go, so all of those can go together\n",
        EXPENSE_RUNS, m->cases.items[0].contract->name);
}

static const struct column columns[] = {
    COLUMN(marker_row, site, IN_JSON),     COLUMN(marker_row, file, IN_JSON),
    COLUMN(marker_row, line, IN_JSON),     COLUMN(marker_row, origin, IN_JSON),
    COLUMN(marker_row, what, IN_JSON),     COLUMN(marker_row, anchor, IN_JSON),
    COLUMN(marker_row, executed, IN_JSON), COLUMN(marker_row, flushes, IN_JSON),
    COLUMN(marker_row, cycles, IN_JSON),   COLUMN(marker_row, answer, IN_JSON),
};
static const struct columns marker_columns = COLUMNS(columns);

static void print_json(const struct minimize *m)
{
    const struct kase *k = m->p.cases.items;
    json_t *list = json_array();
    vec_foreach (const struct marker_row, r, &m->markers) {
        json_t *j = columns_json_row(&marker_columns, r);
        if (r->why)
            json_object_set_new(j, "certificate",
                                report_clean_answer_json(&r->certified, &r->certificate));
        json_array_append_new(list, j);
    }
    output_json(json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", JSON_SCHEMA,
        "command", "minimize", "build", build_id(), "kernel", k->kernel->name, "file",
        k->kernel->path, "ranks", k->nranks, "toolchain", m->p.o.x.toolchain_name, "whole",
        report_clean_answers_json(&m->p.cases, m->whole, m->p.cases.len), "left",
        report_clean_answers_json(&m->cases, m->answers, m->cases.len), "before",
        report_expense_json(&m->before), "after", report_expense_json(&m->after), "markers", list,
        "interrupted", options_stopped_json("markers", count(m, "delete") + count(m, "keep"))));
}

static int exit_code(const struct minimize *m)
{
    if (m->cases.len < m->p.cases.len)
        return EXIT_FINDINGS;
    return proof_exit_code(m->answers, m->cases.len);
}

static int run(struct minimize *m)
{
    if (!proof_cases(&m->p, "minimize"))
        return EXIT_USAGE;
    const struct kase *k = m->p.cases.items;
    bool some = judge_whole(m);
    if (!case_judged(k, m->whole[0].kind == CLEAN_NOT, k->golden->checked, &m->p.o.diag))
        return EXIT_USAGE;
    if (some) {
        m->before = kase_expense(m->cases.items);
        list_markers(m);
        measure(m);
        order_markers(m);
        minimize(m);
    }
    (m->p.o.json ? print_json : print_text)(m);
    options_say_stopped(arena_printf(&m->p.o.arena, "%zu of %zu markers",
                                     count(m, "delete") + count(m, "keep"), m->markers.len));
    return exit_code(m);
}

int cmd_minimize(int argc, char **argv)
{
    struct minimize m = {.origins = 1u << ORIGIN_W1 | 1u << ORIGIN_W2 | 1u << ORIGIN_W3 |
                                    1u << ORIGIN_R1 | 1u << ORIGIN_HAND};
    proof_init(&m.p);
    argp_parse(&argp, argc, argv, 0, NULL, &m);
    return options_end(&m.p.o, run(&m));
}
