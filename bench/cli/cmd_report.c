/* SPDX-License-Identifier: MIT */
/* fencebench report: one page that needs nothing but itself, from what other commands wrote. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "bench/campaign/mutants.h"
#include "bench/campaign/store.h"
#include "bench/campaign/sweep.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/cli/replay.h"
#include "bench/report/html.h"
#include "bench/report/output.h"
#include "bench/report/spacetime.h"

enum { OPEN_FINDINGS = 5, DRAWN = 3 /* findings of a case with a diagram */ };

struct file {
    const char *path;
    const char *type; /* of a picture, or NULL */
    json_t *json;     /* or NULL */
    bool sweep;       /* a database, or the JSON of a sweep: */
    VEC(struct sweep_row) rows;
};

struct page {
    struct arena arena;
    struct diag diag;
    VEC(const char *) args;
    VEC(struct file) files;
    const char *output, *title;
    FILE *out;
    int cases, failed, unfinished, findings; /* of all files */
    int number;                              /* of the case that is printed */
};

/* ---- members of an object ---- */

static const char *text_of(const json_t *j, const char *name)
{
    const char *text = json_string_value(json_object_get(j, name));
    return text ? text : "";
}

static json_int_t number_of(const json_t *j, const char *name)
{
    return json_integer_value(json_object_get(j, name));
}

/* ---- reading ---- */

static const char *ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

static const char *picture_type(const char *path)
{
    return !strcmp(ending(path), "png")   ? "image/png"
           : !strcmp(ending(path), "svg") ? "image/svg+xml"
                                          : NULL;
}

/* Of a command whose results have a place on the page; reports of old have no name of one. */
static bool is_report(const json_t *j)
{
    static const char *const commands[] = {"", "check", "explore", "run", "lint", "sweep"};
    bool known = false;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        known |= !strcmp(text_of(j, "command"), commands[i]);
    return known && (json_is_array(json_object_get(j, "results")) ||
                     json_is_object(json_object_get(j, "result")));
}

static bool read_json(struct page *p, const char *path, struct file *f)
{
    json_error_t e;
    const struct source *s = source_read(&p->arena, path, &p->diag);
    if (!s)
        return false;
    f->json = json_loads(s->text, 0, &e);
    if (!f->json)
        return diag_error(&p->diag, s, (struct span){e.line, e.column > 0 ? e.column : 1, 1}, "%s",
                          e.text);
    f->sweep = !strcmp(text_of(f->json, "command"), "sweep");
    return true;
}

struct rows_of_file {
    struct page *page;
    struct file *file;
};

static void add_row(void *ctx, const struct sweep_row *row)
{
    struct rows_of_file *x = ctx;
    vec_push(&x->page->arena, &x->file->rows, *row);
}

static void read_mutants(struct page *p, struct file *f)
{
    size_t i;
    json_t *j;
    json_array_foreach(json_object_get(f->json, "results"), i, j)
    {
        struct sweep_row row = {0};
        columns_of_json(&sweep_columns, &row, j);
        add_row(&(struct rows_of_file){p, f}, &row);
    }
}

/* Standard input is JSON. */
static bool read_file(struct page *p, const char *path, bool asked_for)
{
    struct file f = {.path = path, .type = picture_type(path)};
    bool json = !strcmp(ending(path), "json") || !strcmp(path, "-");
    if (json && !read_json(p, path, &f))
        return false;
    if (json && !is_report(f.json)) {
        json_decref(f.json);
        if (asked_for)
            return diag_file(&p->diag, path, "is no report of check, explore, run, lint or sweep");
        fprintf(stderr, "%s: note: passed over: no report of a command\n", path);
        return true;
    }
    if (f.sweep)
        read_mutants(p, &f);
    if (!f.json && !f.type) {
        f.sweep = true;
        if (!store_read(path, &p->arena, add_row, &(struct rows_of_file){p, &f}, &p->diag))
            return false;
    }
    vec_push(&p->arena, &p->files, f);
    return true;
}

/* What the page is made of; other files of a folder are left alone. */
static int is_input(const struct dirent *e)
{
    const char *end = ending(e->d_name);
    return *e->d_name != '.' && (picture_type(e->d_name) || !strcmp(end, "json") ||
                                 !strcmp(end, "db") || !strcmp(end, "sqlite"));
}

static bool read_folder(struct page *p, const char *path)
{
    struct dirent **list;
    int n = scandir(path, &list, is_input, alphasort);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        ok = ok && read_file(p, arena_printf(&p->arena, "%s/%s", path, list[i]->d_name), false);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    if (n == 0)
        return diag_file(&p->diag, path, "has no .json, .db, .sqlite, .svg or .png");
    return ok;
}

static bool read_all(struct page *p)
{
    vec_foreach (const char *, path, &p->args) {
        struct stat s = {0};
        if (strcmp(*path, "-") != 0 && stat(*path, &s))
            return diag_file(&p->diag, *path, "cannot open: %s", strerror(errno));
        if (!(S_ISDIR(s.st_mode) ? read_folder(p, *path) : read_file(p, *path, true)))
            return false;
    }
    return true;
}

static const char *answer_of(const json_t *k)
{
    const char *answer = text_of(k, "answer");
    if (*answer)
        return answer;
    return json_array_size(json_object_get(k, "findings")) ? "findings" : "clean";
}

/* All states were looked at. */
static bool proved(const json_t *k)
{
    return json_is_true(json_object_get(json_object_get(k, "explore"), "complete")) ||
           json_is_true(json_object_get(k, "complete"));
}

/* ---- cases ---- */

static void each_case(struct page *p, void (*fn)(struct page *p, const json_t *k))
{
    p->number = 0;
    vec_foreach (const struct file, f, &p->files) {
        json_t *list = json_object_get(f->json, f->sweep ? "unchanged" : "results"), *k;
        size_t i;
        if (!list && f->json && !f->sweep) {
            p->number++;
            fn(p, json_object_get(f->json, "result"));
        }
        json_array_foreach(list, i, k)
        {
            p->number++;
            fn(p, k);
        }
    }
}

static void count_case(struct page *p, const json_t *k)
{
    p->cases++;
    p->failed += !strcmp(answer_of(k), "findings");
    p->unfinished += !strcmp(answer_of(k), "unfinished");
    p->findings += (int)json_array_size(json_object_get(k, "findings"));
}

/* "ptoas-0.57", "ptoas-0.57, no markers", "ptoas-0.57, batch none, without site 7". */
static const char *compiled_words(struct page *p, const json_t *k)
{
    const json_t *c = json_object_get(json_object_get(k, "scope"), "compiled");
    struct strbuf b = strbuf_make(&p->arena);
    strbuf_add(&b, text_of(k, "toolchain"));
    bool none = json_is_false(json_object_get(c, "markers"));
    strbuf_add(&b, none ? ", no markers" : "");
    if (!none && *text_of(c, "batch") && strcmp(text_of(c, "batch"), "loops") != 0)
        strbuf_addf(&b, ", batch %s", text_of(c, "batch"));
    if (!none && !strcmp(text_of(c, "rules"), "proposed"))
        strbuf_add(&b, ", rules proposed");
    if (json_is_array(json_object_get(c, "passes")))
        strbuf_add(&b, ", some passes");
    if (*text_of(c, "removed"))
        strbuf_addf(&b, ", without site %s", text_of(c, "removed"));
    if (*text_of(c, "mutated"))
        strbuf_addf(&b, ", site %s", text_of(c, "mutated"));
    return b.text;
}

/* "100 runs, less than 3.0 % fail"; "proved in 19 states". */
static void print_basis(struct page *p, const json_t *k)
{
    const json_t *explore = json_object_get(k, "explore"), *bound = json_object_get(k, "bound");
    json_int_t runs = number_of(k, "runs"), states = number_of(explore, "machine_states");
    states = states ? states : number_of(k, "machine_states");
    if (!bound)
        bound = json_object_get(json_object_get(k, "scope"), "bound");
    double below = json_number_value(json_object_get(bound, "rate_below"));
    if (runs && number_of(k, "failed"))
        html_textf(p->out, "%" JSON_INTEGER_FORMAT " of ", number_of(k, "failed"));
    if (runs)
        html_textf(p->out, "%" JSON_INTEGER_FORMAT " run%s", runs, runs == 1 ? "" : "s");
    if (states)
        html_textf(p->out, "%s%s%" JSON_INTEGER_FORMAT " states", runs ? ", " : "",
                   proved(k) ? "all " : "", states);
    if (below > 0 && !proved(k))
        html_textf(p->out, ", less than %.2g %% fail (95 %%)", 100 * below);
}

static void print_row(struct page *p, const json_t *k)
{
    const char *answer = answer_of(k);
    bool bad = !strcmp(answer, "findings"), open = !strcmp(answer, "unfinished");
    const json_t *first = json_array_get(json_object_get(k, "findings"), 0);
    fputs("<tr><td>", p->out);
    fprintf(p->out, bad ? "<a href=\"#case-%d\">" : "<span>", p->number);
    html_text(p->out, text_of(k, "kernel"));
    fputs(bad ? "</a></td>" : "</span></td>", p->out);
    fprintf(p->out, "<td>%" JSON_INTEGER_FORMAT "</td><td>", number_of(k, "ranks"));
    html_text(p->out, text_of(k, "model"));
    fputs("</td><td>", p->out);
    html_text(p->out, compiled_words(p, k));
    fprintf(p->out, "</td><td class=\"%s\">", bad ? "bad" : open ? "warn" : "good");
    html_text(p->out, bad || open ? answer : proved(k) ? "clean, proved" : "clean");
    fputs("</td><td>", p->out);
    print_basis(p, k);
    fputs("</td><td>", p->out);
    html_text(p->out, first ? text_of(first, "verdict") : "");
    if (first && *text_of(first, "address"))
        html_textf(p->out, " at %s", text_of(first, "address"));
    fputs("</td></tr>\n", p->out);
}

static void print_summary(struct page *p)
{
    fputs("<p>", p->out);
    html_textf(p->out, "%d case%s: %d clean, %d with findings, %d unfinished.", p->cases,
               p->cases == 1 ? "" : "s", p->cases - p->failed - p->unfinished, p->failed,
               p->unfinished);
    fputs("</p>\n<div class=\"wide\"><table>\n<thead><tr><th>kernel</th><th>P</th><th>model</th>"
          "<th>toolchain</th><th>answer</th><th>by</th><th>first finding</th></tr></thead>\n"
          "<tbody>\n",
          p->out);
    each_case(p, print_row);
    fputs("</tbody>\n</table></div>\n", p->out);
}

/* ---- findings ---- */

/* One side of a finding with its source line. */
static void print_side(struct page *p, const char *label, const json_t *side)
{
    if (!json_is_object(side))
        return;
    const char *core = text_of(side, "core");
    fputs("<tr><th>", p->out);
    html_text(p->out, label);
    fputs("</th><td>", p->out);
    html_textf(p->out, "%s:%" JSON_INTEGER_FORMAT ": %s, by ", text_of(side, "file"),
               number_of(side, "line"), text_of(side, "what"));
    if (*core)
        html_textf(p->out, "core %s", core);
    else
        html_textf(p->out, "rank %" JSON_INTEGER_FORMAT, number_of(side, "rank"));
    fputs("<pre>", p->out);
    html_text(p->out, text_of(side, "source"));
    fputs("</pre></td></tr>\n", p->out);
}

static void print_words(struct page *p, const char *label, const char *text)
{
    if (!*text || !strcmp(text, "-"))
        return;
    fputs("<tr><th>", p->out);
    html_text(p->out, label);
    fputs("</th><td>", p->out);
    html_text(p->out, text);
    fputs("</td></tr>\n", p->out);
}

static const char *const members[] = {"reader", "producer", "wait", "culprit", "returned"};

/* What the places of a finding are, by the members, for a verdict; the last row is for all others. */
static const struct {
    const char *verdict, *labels[sizeof members / sizeof *members];
} sides[] = {
    {"stale read",
     {"the read", "the fresh write", "through the wait", "erased by", "returned instead"}},
    {"overrun read",
     {"the read", "the later write", "let go through the wait", "erased by", "returned"}},
    {"lost write",
     {"the read", "the write that is lost", "through the wait", "erased by", "came back"}},
    {"race", {"one access", "the other", "through the wait", "erased by", "returned instead"}},
    {"", {"at", "the other access", "through the wait", "erased by", "returned instead"}},
};

static const char *const *labels_of(const char *verdict)
{
    size_t i = 0;
    while (*sides[i].verdict && strcmp(sides[i].verdict, verdict) != 0)
        i++;
    return sides[i].labels;
}

struct drawing {
    struct page *page;
    const json_t *finding;
};

static bool same_finding(const struct run_finding *f, const json_t *j)
{
    const char *address = text_of(j, "address");
    size_t n = strlen(address);
    return !strcmp(verdict_name(f->what.verdict), text_of(j, "verdict")) &&
           (!n || strstr(f->text, address));
}

/* Shows the run of a finding; another of the same kind where it is not met. */
static void draw(void *ctx, const struct run_graph *g)
{
    struct drawing *d = ctx;
    vec_foreach (const struct run_finding, f, &g->findings)
        if (same_finding(f, d->finding)) {
            spacetime_print(d->page->out, g, f);
            return;
        }
}

static void print_diagram(struct page *p, const json_t *k, const json_t *f)
{
    const char *why = NULL, *replay = text_of(k, "replay");
    struct drawing d = {p, f};
    json_int_t seed = number_of(f, "first_seed");
    if (!*replay || seed < 0)
        return;
    bool ran = replay_run(&p->arena, replay, (uint64_t)seed, draw, &d, &why);
    if (!ran) {
        fputs("<p class=\"dim\">No diagram: the run cannot be made again: ", p->out);
        html_text(p->out, why);
        fputs("</p>\n", p->out);
    }
}

/* What repairs it, as text to insert. */
static void print_edit(struct page *p, const json_t *edits)
{
    size_t i;
    const json_t *e;
    json_array_foreach(edits, i, e)
    {
        fputs("<tr><th>insert</th><td>", p->out);
        html_textf(p->out, "in front of %s:%" JSON_INTEGER_FORMAT, text_of(e, "file"),
                   number_of(e, "line"));
        fputs("<pre>", p->out);
        const char *text = text_of(e, "insert");
        html_text(p->out, text + strspn(text, " \n"));
        fputs("</pre></td></tr>\n", p->out);
    }
}

static void print_finding(struct page *p, const json_t *k, const json_t *f, bool drawn)
{
    fputs("<h3 class=\"bad\">", p->out);
    html_text(p->out, text_of(f, "verdict"));
    if (*text_of(f, "address"))
        html_textf(p->out, " at %s", text_of(f, "address"));
    if (*text_of(f, "tile"))
        html_textf(p->out, " of tile %s", text_of(f, "tile"));
    fputs("</h3>\n", p->out);
    if (number_of(f, "runs"))
        fprintf(p->out,
                "<p class=\"dim\">%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT
                " runs, first seed %" JSON_INTEGER_FORMAT "</p>\n",
                number_of(f, "runs"), number_of(k, "runs"), number_of(f, "first_seed"));
    fputs("<div class=\"wide\"><table class=\"sides\">\n", p->out);
    const char *const *labels = labels_of(text_of(f, "verdict"));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        print_side(p, labels[i], json_object_get(f, members[i]));
    print_words(p, "where the fresh value was", text_of(f, "where"));
    print_words(p, "note", text_of(f, "note"));
    print_words(p, "remedy", text_of(f, "remedy"));
    print_words(p, "tried", text_of(json_object_get(f, "repair"), "checked"));
    print_edit(p, json_object_get(f, "edit"));
    fputs("</table></div>\n", p->out);
    if (drawn)
        print_diagram(p, k, f);
}

static void print_case(struct page *p, const json_t *k)
{
    const json_t *list = json_object_get(k, "findings"), *f;
    const char *replay = text_of(k, "replay");
    size_t i;
    if (strcmp(answer_of(k), "findings") != 0)
        return;
    fprintf(p->out, "<details%s>\n<summary>", p->failed <= OPEN_FINDINGS ? " open" : "");
    html_textf(p->out, "%s, P = %" JSON_INTEGER_FORMAT ", %s, %s: %zu finding%s",
               text_of(k, "kernel"), number_of(k, "ranks"), text_of(k, "model"),
               compiled_words(p, k), json_array_size(list), json_array_size(list) == 1 ? "" : "s");
    /* A link to what is inside opens it. */
    fprintf(p->out, "</summary>\n<div id=\"case-%d\"></div>\n", p->number);
    if (*replay) {
        fputs("<p>Replay: <code>", p->out);
        html_text(p->out, replay);
        fputs("</code></p>\n", p->out);
    }
    json_array_foreach(list, i, f) print_finding(p, k, f, i < DRAWN);
    fputs("</details>\n", p->out);
}

/* ---- removals of a sweep ---- */

static bool is_removal(const struct sweep_row *r)
{
    return !strcmp(r->level, mutation_name(MUTATE_INSTRUCTION)) ||
           !strcmp(r->level, mutation_name(MUTATE_MARKER)) ||
           !strcmp(r->level, mutation_name(MUTATE_RULE));
}

static const char *colour_of(const struct sweep_row *r)
{
    enum fate f = sweep_fate(r);
    return f == FATE_KILLED ? "good" : f == FATE_NOT_OBSERVED || f == FATE_UNKNOWN ? "warn" : "dim";
}

static void print_removal(struct page *p, const struct sweep_row *r)
{
    fputs("<tr><td>", p->out);
    html_text(p->out, r->kernel);
    fprintf(p->out, "</td><td>%d</td><td>", r->ranks);
    html_text(p->out, r->model);
    fputs("</td><td>", p->out);
    html_textf(p->out, "%d: %s %s", r->site, r->origin, r->what);
    fprintf(p->out, "</td><td>%d</td><td>", r->line);
    html_text(p->out, is_removal(r) ? "removed" : r->level);
    fprintf(p->out, "</td><td class=\"%s\">", colour_of(r));
    html_text(p->out, r->class);
    fprintf(p->out, "</td><td class=\"whole\">%" PRIu64 " of %" PRIu64 "</td><td>", r->killed,
            r->runs);
    html_text(p->out, r->finding);
    if (*r->where && strcmp(r->where, "-") != 0)
        html_textf(p->out, ", %s", r->where);
    fputs("</td></tr>\n", p->out);
}

static void print_sweep(struct page *p, const struct file *f)
{
    size_t pairs = 0;
    fputs("<h2>Removed markers: ", p->out);
    html_text(p->out, f->path);
    fputs("</h2>\n", p->out);
    fputs("<details>\n<summary>One row a removal</summary>\n", p->out);
    fputs("<div class=\"wide\"><table>\n<thead><tr><th>kernel</th><th>P</th><th>model</th>"
          "<th>marker</th><th>line</th><th>mutation</th><th>class</th><th>killed</th>"
          "<th>finding</th></tr></thead>\n<tbody>\n",
          p->out);
    vec_foreach (const struct sweep_row, r, &f->rows) {
        bool pair = !strcmp(r->level, mutation_name(MUTATE_PAIR));
        pairs += pair;
        if (!pair)
            print_removal(p, r);
    }
    fputs("</tbody>\n</table></div>\n", p->out);
    fputs(pairs < f->rows.len ? "" : "<p>No removal is done.</p>\n", p->out);
    if (pairs)
        fprintf(p->out, "<p class=\"dim\">Removals of two markers at once are left out: %zu.</p>\n",
                pairs);
    fputs("</details>\n", p->out);
}

/* ---- pictures ---- */

static bool print_picture(struct page *p, const struct file *f)
{
    FILE *in = fopen(f->path, "rb");
    struct stat s;
    if (!in || fstat(fileno(in), &s))
        return diag_file(&p->diag, f->path, "cannot open: %s", strerror(errno));
    size_t size = (size_t)s.st_size;
    char *bytes = arena_alloc(&p->arena, size + 1);
    bool ok = fread(bytes, 1, size, in) == size;
    fclose(in);
    if (!ok)
        return diag_file(&p->diag, f->path, "cannot read");
    html_picture(p->out, f->path, f->type, bytes, size);
    return true;
}

static bool print_page(struct page *p)
{
    bool ok = true;
    each_case(p, count_case);
    html_begin(p->out, p->title);
    fputs("<h1>", p->out);
    html_text(p->out, p->title);
    fputs("</h1>\n", p->out);
    if (p->cases)
        print_summary(p);
    if (p->failed)
        fputs("<h2>Findings</h2>\n", p->out);
    each_case(p, print_case);
    vec_foreach (const struct file, f, &p->files)
        if (f->sweep)
            print_sweep(p, f);
    vec_foreach (const struct file, f, &p->files)
        if (f->type)
            ok = ok && print_picture(p, f);
    fputs("<p class=\"dim\">", p->out);
    html_textf(p->out,
               "fencebench %s. Rates are of runs under adversarial timing: they compare, and "
               "predict no device. Diagrams are in the order of steps, not to scale.",
               build_id());
    fputs("</p>\n", p->out);
    html_end(p->out);
    return ok;
}

/* ---- the command ---- */

enum { KEY_TITLE = 0x200 };

static const struct argp_option report_options[] = {
    {"output", 'o', "FILE", 0, "Write the page there (default: standard output)", 1},
    {"title", KEY_TITLE, "TEXT", 0, "Title of the page (default: fencebench)", 1},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct page *p = s->input;
    switch (key) {
    case 'o':
        p->output = arg;
        return 0;
    case KEY_TITLE:
        p->title = arg;
        return 0;
    case ARGP_KEY_ARG:
        vec_push(&p->arena, &p->args, arg);
        return 0;
    case ARGP_KEY_END:
        if (!p->args.len)
            argp_error(s, "expected at least one folder or file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    report_options,
    parse,
    "DIR|FILE...",
    "Make one HTML page of the JSON of check, explore, run, lint and sweep ('-': from standard "
    "input), of databases of sweep, and of "
    "pictures (.svg, .png). It needs no network and no script. Runs of findings are made again for "
    "their diagrams, where the kernels still are what they were.",
    NULL,
    NULL,
    NULL};

static bool report(struct page *p)
{
    struct output out;
    if (!read_all(p) || !output_open(&out, p->output, &p->diag))
        return false;
    p->out = out.file;
    bool ok = print_page(p);
    return output_close(&out, ok, &p->diag) && ok;
}

int cmd_report(int argc, char **argv)
{
    struct page p = {.title = "fencebench"};
    p.diag.arena = &p.arena;
    argp_parse(&argp, argc, argv, 0, NULL, &p);
    int code = report(&p) ? EXIT_CLEAN : EXIT_USAGE;
    diag_print(&p.diag, stderr);
    vec_foreach (const struct file, f, &p.files)
        json_decref(f->json);
    arena_free(&p.arena);
    return code;
}
