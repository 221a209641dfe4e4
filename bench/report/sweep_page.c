/* SPDX-License-Identifier: MIT */
#include "bench/report/sweep_page.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "bench/plot/plot.h"
#include "bench/report/output.h"
#include "bench/report/report.h"

/* A mutant, as every case of the kernel has it. */
struct entry {
    const struct sweep_item *first;
    int line; /* in the text of the kernel and all that it imports; INT_MAX: at the end of the page */
    VEC(const struct sweep_item *) items; /* by ranks and contract */
};
typedef VEC(struct entry) entries;

/* ---- scores ---- */

void sweep_score_add(struct sweep_score *s, const struct sweep_row *r)
{
    static const bool proved_needless[FATE_COUNT] = {[FATE_REDUNDANT] = true,
                                                     [FATE_GIVEN] = true,
                                                     [FATE_FEWER] = true,
                                                     [FATE_NOT_REACHED] = true};
    enum fate fate = sweep_fate(r);
    s->all++;
    s->by_fate[fate]++;
    s->needed += !proved_needless[fate];
}

static const char *score_words(struct arena *a, const struct sweep_score *s)
{
    if (!s->needed)
        return "-";
    return arena_printf(a, "%zu of %zu, %.1f %%", s->by_fate[FATE_KILLED], s->needed,
                        100.0 * (double)s->by_fate[FATE_KILLED] / (double)s->needed);
}

/* ---- entries ---- */

static const struct mutant *mutant_of(const struct sweep_item *item)
{
    return &item->subject->list.items[item->mutant];
}

static bool same_entry(const struct sweep_row *x, const struct sweep_row *y)
{
    return x->site == y->site && !strcmp(x->level, y->level) && !strcmp(x->what, y->what);
}

/* The tail of a kernel and the rules stand on no one line. */
static int line_of(const struct sweep_item *item)
{
    const struct site *site = &item->subject->kase->program->sites[item->row.site];
    if (mutant_of(item)->kind == MUTATE_RULE)
        return INT_MAX;
    return site->origin == ORIGIN_TAIL || !site->span.line ? INT_MAX - 1 : site->span.line;
}

/* The mutant takes all sites of a marker statement. */
static bool is_whole(const struct sweep_item *item)
{
    const struct mutant *m = mutant_of(item);
    int n = 0;
    for (int i = 0; i < item->subject->kase->program->nsites; i++)
        n += m->removed[i];
    return n > 1;
}

static int compare(int x, int y)
{
    return (x > y) - (x < y);
}

/* By lines and sites; a marker statement before its first site. */
static int by_line(const void *p, const void *q)
{
    const struct entry *x = p, *y = q;
    int order = compare(x->line, y->line);
    order = order ? order : compare(x->first->row.site, y->first->row.site);
    order = order ? order : compare(!is_whole(x->first), !is_whole(y->first));
    return order ? order : (x->first > y->first) - (x->first < y->first);
}

static void list_entries(struct arena *a, const struct sweep_results *r, const struct kernel *k,
                         entries *out)
{
    vec_foreach (const struct sweep_item, item, &r->items) {
        struct entry *at = NULL;
        if (item->subject->kase->kernel != k)
            continue;
        vec_foreach (struct entry, e, out)
            if (same_entry(&e->first->row, &item->row))
                at = e;
        if (!at) {
            vec_push(a, out, (struct entry){.first = item, .line = line_of(item)});
            at = &out->items[out->len - 1];
        }
        vec_push(a, &at->items, item);
    }
    if (out->len)
        qsort(out->items, out->len, sizeof *out->items, by_line);
}

/* ---- the head ---- */

static const char *unmutated(struct arena *a, const struct subject *s)
{
    const struct tally *t = &s->kase->tally;
    if (t->failed)
        return arena_printf(a, "%s in %" PRIu64 " of %" PRIu64 " runs",
                            verdict_name(tally_verdict(t)), t->failed, t->runs);
    if (s->base.findings.len)
        return arena_printf(a, "%s, explored", verdict_name(s->base.findings.items[0].verdict));
    return s->base.complete && !*s->extents ? "clean, proved"
                                            : arena_printf(a, "clean in %" PRIu64 " runs", t->runs);
}

static const char *explored(struct arena *a, const struct subject *s)
{
    if (!s->max_states)
        return "nothing";
    if (!s->base.complete)
        return arena_printf(a, "more than %" PRIu64 " states", s->max_states);
    return arena_printf(a, "%" PRIu64 " states%s%s", s->base.states, *s->extents ? " with " : "",
                        s->extents);
}

static void add_case(struct strbuf *b, const struct sweep_results *r, const struct subject *s,
                     struct sweep_score *total)
{
    struct sweep_score score = {0};
    vec_foreach (const struct sweep_item, item, &r->items)
        if (item->subject == s) {
            sweep_score_add(&score, &item->row);
            sweep_score_add(total, &item->row);
        }
    strbuf_addf(b, "| %d | %s | %s | %s | %zu |", s->kase->nranks, s->kase->contract->name,
                unmutated(b->arena, s), explored(b->arena, s), score.all);
    for (int f = 0; f < FATE_COUNT; f++)
        strbuf_addf(b, " %zu |", score.by_fate[f]);
    strbuf_addf(b, " %s |\n", score_words(b->arena, &score));
}

static void add_head(struct strbuf *b, const struct sweep_results *r, const struct kernel *k,
                     const char *picture)
{
    struct strbuf table = strbuf_make(b->arena);
    struct sweep_score total = {0};
    const char *toolchain = "";
    strbuf_add(&table, "| P | contract | unchanged | explored | mutants |");
    for (int f = 0; f < FATE_COUNT; f++)
        strbuf_addf(&table, " %s |", fate_name((enum fate)f));
    strbuf_add(&table, " score |\n|---|---|---|---|---|");
    for (int f = 0; f < FATE_COUNT; f++)
        strbuf_add(&table, "---|");
    strbuf_add(&table, "---|\n");
    vec_foreach (const struct subject, s, &r->subjects)
        if (s->kase->kernel == k) {
            add_case(&table, r, s, &total);
            toolchain = s->kase->of->toolchain_name;
        }
    strbuf_addf(b,
                "# %s\n\n`%s`, toolchain %s. Score, killed of all that is not proved to be "
                "redundant or not reached: **%s**.\n\n",
                k->name, k->path, toolchain, score_words(b->arena, &total));
    strbuf_add(b, table.text);
    if (picture)
        strbuf_addf(b, "\n![which mutants are noticed](%s)\n", picture);
}

/* ---- mutants ---- */

static const char *const verbs[] = {
    [MUTATE_INSTRUCTION] = "removed", [MUTATE_MARKER] = "removed",     [MUTATE_RULE] = "removed",
    [MUTATE_PAIR] = "removed",        [MUTATE_NARROW] = "narrowed",    [MUTATE_WEAKEN] = "weakened",
    [MUTATE_MISPLACE] = "misplaced",  [MUTATE_RETARGET] = "retargeted"};
ROW_EACH(verbs, MUTATION_COUNT);

/* What became of the site, behind the last colon of its name; "" of a removal. */
static const char *change(const struct mutant *m)
{
    const char *end = "";
    for (const char *p = m->what; m->how && (p = strstr(p, ": ")); p++)
        end = p + strlen(": ");
    return end;
}

static const char *site_name(struct arena *a, const struct mutant *m)
{
    size_t cut = strlen(change(m));
    return cut ? arena_strndup(a, m->what, strlen(m->what) - cut - strlen(": ")) : m->what;
}

/* Answers of one sentence: the same class for the same reason. A kill is told by its rate for each case. */
static bool same_answer(const struct sweep_row *x, const struct sweep_row *y)
{
    return !strcmp(x->class, y->class) && !strcmp(x->why, y->why) &&
           !strcmp(x->others, y->others) && !strcmp(x->finding, y->finding) &&
           !strcmp(x->where, y->where) && x->reader_line == y->reader_line;
}

static const char *number(struct arena *a, const struct sweep_row *r)
{
    if (r->killed)
        return arena_printf(a, "%.1f %% [%.1f, %.1f], first seed %" PRIu64, 100 * r->rate,
                            100 * r->rate_low, 100 * r->rate_high, r->first_seed);
    if (r->states)
        return arena_printf(a, "%" PRIu64 " states", r->states);
    return sweep_fate(r) == FATE_NOT_REACHED
               ? "never"
               : arena_printf(a, "below %.2f %%", 100 * clean_bound(r->runs));
}

/* "P=2: a2a3, a2a3-blocking 7173 states; P=4: ..." of those with the same answer. */
static void add_cases(struct strbuf *b, const struct entry *e, const struct sweep_row *like)
{
    int ranks = 0;
    const char *last = NULL;
    vec_foreach (const struct sweep_item *, item, &e->items) {
        const struct sweep_row *r = &(*item)->row;
        if (!same_answer(r, like))
            continue;
        const char *text = number(b->arena, r);
        bool joins = last && r->ranks == ranks && !strcmp(text, last);
        if (last && !joins)
            strbuf_addf(b, " %s; ", last);
        strbuf_add(b, joins ? ", " : "");
        if (r->ranks != ranks)
            strbuf_addf(b, "P=%d: ", r->ranks);
        strbuf_add(b, r->model);
        ranks = r->ranks;
        last = text;
    }
    strbuf_addf(b, " %s", last);
}

static void add_reason(struct strbuf *b, const struct sweep_row *r)
{
    if (sweep_fate(r) == FATE_KILLED) {
        strbuf_addf(b, "**killed**: %s%s%s", r->finding, *r->where ? ", " : "", r->where);
        if (r->reader_line)
            strbuf_addf(b, ", read at line %d", r->reader_line);
    } else if (*r->others) {
        strbuf_addf(b, "**redundant given %s**", r->others);
    } else {
        strbuf_addf(b, "**%s**%s%s", r->class, *r->why ? ": " : "", r->why);
    }
}

static void add_answer(struct strbuf *b, const struct entry *e, const struct sweep_row *r)
{
    const struct mutant *m = mutant_of(e->first);
    const char *more = change(m);
    strbuf_addf(b, "  * %s%s%s: ", verbs[m->kind], *more ? ", " : "", more);
    add_reason(b, r);
    strbuf_add(b, ".\n    ");
    add_cases(b, e, r);
    strbuf_add(b, "\n");
    if (sweep_fate(r) == FATE_KILLED && *r->certificate)
        strbuf_addf(b, "    `%s`\n", r->certificate);
}

static void add_entry(struct strbuf *b, const struct entry *e)
{
    for (size_t i = 0; i < e->items.len; i++) {
        bool told = false;
        for (size_t k = 0; k < i; k++)
            told |= same_answer(&e->items.items[k]->row, &e->items.items[i]->row);
        if (!told)
            add_answer(b, e, &e->items.items[i]->row);
    }
}

/* The text of a line without its indent. */
static const char *line_text(struct arena *a, const struct source *src, int line)
{
    const char *p = src->text;
    while (--line > 0 && (p = strchr(p, '\n')))
        p++;
    if (!p)
        return "";
    p += strspn(p, " \t");
    return arena_strndup(a, p, strcspn(p, "\r\n"));
}

static void add_line_head(struct strbuf *b, const struct entry *e, const struct kernel *k)
{
    if (e->line == INT_MAX) {
        strbuf_add(b, "\n## All markers of a rule\n\n");
    } else if (e->line == INT_MAX - 1) {
        strbuf_add(b, "\n## Behind the kernel's text\n\n");
    } else {
        const char *place = source_line_words(b->arena, k->source, e->line);
        strbuf_addf(b, "\n## L%s\n\n    %s\n\n", place + strlen("line "),
                    line_text(b->arena, k->source, e->line));
    }
}

static void add_site_head(struct strbuf *b, const struct entry *e)
{
    const struct mutant *m = mutant_of(e->first);
    const char *name = site_name(b->arena, m), *origin = e->first->row.origin;
    bool named = m->kind == MUTATE_RULE || strstr(name, origin);
    strbuf_addf(b, "* **%s%s%s**", named ? "" : origin, named ? "" : ".", name);
    if (m->kind != MUTATE_RULE)
        strbuf_addf(b, ", site %d", m->first);
    strbuf_add(b, "\n");
}

static bool same_site(struct arena *a, const struct entry *x, const struct entry *y)
{
    return x->first->row.site == y->first->row.site &&
           !strcmp(site_name(a, mutant_of(x->first)), site_name(a, mutant_of(y->first)));
}

static void add_sites(struct strbuf *b, const entries *list, const struct kernel *k)
{
    for (size_t i = 0; i < list->len; i++) {
        const struct entry *e = &list->items[i], *before = i ? e - 1 : NULL;
        if (!before || before->line != e->line)
            add_line_head(b, e, k);
        if (!before || before->line != e->line || !same_site(b->arena, before, e))
            add_site_head(b, e);
        add_entry(b, e);
    }
}

static void add_pairs(struct strbuf *b, const struct sweep_results *r, const struct kernel *k)
{
    bool head = false;
    vec_foreach (const struct sweep_item, item, &r->pairs) {
        const struct sweep_row *x = &item->row;
        if (item->subject->kase->kernel != k)
            continue;
        strbuf_add(b, head ? "" : "\n## Pairs that die, though each is redundant alone\n\n");
        head = true;
        strbuf_addf(b, "* sites %d and %d, P=%d %s: ", x->site, item->two->row.site, x->ranks,
                    x->model);
        add_reason(b, x);
        strbuf_addf(b, ", in %" PRIu64 " states\n", x->states);
        if (*x->certificate)
            strbuf_addf(b, "    `%s`\n", x->certificate);
    }
}

const char *sweep_page(struct arena *a, const struct sweep_results *r, const struct kernel *k,
                       const char *picture)
{
    struct strbuf b = strbuf_make(a);
    entries list = {0};
    list_entries(a, r, k, &list);
    add_head(&b, r, k, picture);
    add_sites(&b, &list, k);
    add_pairs(&b, r, k);
    return b.text;
}

/* ---- files ---- */

static bool draw(struct arena *a, const struct sweep_results *r, const struct kernel *k,
                 const char *base, struct diag *d)
{
    VEC(struct sweep_row) rows = {0};
    vec_foreach (const struct sweep_item, item, &r->items)
        if (item->subject->kase->kernel == k)
            vec_push(a, &rows, item->row);
    const char *text = columns_csv_text(
        &sweep_columns, (struct column_rows){rows.items, rows.len, sizeof *rows.items}, a);
    const struct source *csv = source_from_string(a, k->name, text);
    return plot_png(a, csv, &(struct plot_options){.kind = PLOT_HEATMAP, .payload = -1}, base, d);
}

static bool write_page(struct arena *a, const struct sweep_results *r, const struct kernel *k,
                       const char *dir, struct diag *d)
{
    const char *picture = dir ? arena_printf(a, "%s.png", k->name) : NULL;
    const char *text = sweep_page(a, r, k, picture), *base;
    fputs(text, stdout);
    if (!dir)
        return true;
    base = arena_printf(a, "%s/%s", dir, k->name);
    return output_folder(dir, d) && output_text(arena_printf(a, "%s.md", base), text, d) &&
           draw(a, r, k, base, d);
}

bool sweep_pages(struct arena *a, const struct sweep_results *r, const char *dir, struct diag *d)
{
    const struct kernel *k = NULL;
    vec_foreach (const struct subject, s, &r->subjects) {
        if (s->kase->kernel == k || !s->list.len)
            continue;
        fputs(k ? "\n" : "", stdout);
        k = s->kase->kernel;
        if (!write_page(a, r, k, dir, d))
            return false;
    }
    return true;
}
