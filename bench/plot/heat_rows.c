/* SPDX-License-Identifier: MIT */
#include "bench/plot/heat_rows.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "bench/campaign/subject.h"

static const char *const class_names[] = {HEAT_CLASSES(NAME_ROW)};
ROW_EACH(class_names, HEAT_CLASS_COUNT);

static const char *const block_names[] = {[BLOCK_REMOVE] = "removed",
                                          [BLOCK_NARROW] = "narrowed",
                                          [BLOCK_WEAKEN] = "weakened",
                                          [BLOCK_MISPLACE] = "misplaced",
                                          [BLOCK_RETARGET] = "retargeted"};
ROW_EACH(block_names, BLOCK_COUNT);

const char *heat_class_name(enum heat_class c)
{
    return class_names[c];
}

const char *heat_block_name(enum heat_block b)
{
    return block_names[b];
}

/* By the names of mutations; pairs have no cell: what they show is the class of their sites. */
static const struct {
    enum mutation kind;
    enum heat_block block;
} levels[] = {
    {MUTATE_INSTRUCTION, BLOCK_REMOVE}, {MUTATE_MARKER, BLOCK_REMOVE},
    {MUTATE_RULE, BLOCK_REMOVE},        {MUTATE_NARROW, BLOCK_NARROW},
    {MUTATE_WEAKEN, BLOCK_WEAKEN},      {MUTATE_MISPLACE, BLOCK_MISPLACE},
    {MUTATE_RETARGET, BLOCK_RETARGET},
};

static const enum heat_class classes[] = {
    [FATE_KILLED] = HEAT_KILLED_EXPLORED,
    [FATE_REDUNDANT] = HEAT_REDUNDANT,
    [FATE_GIVEN] = HEAT_GIVEN,
    [FATE_FEWER] = HEAT_FEWER,
    [FATE_NOT_REACHED] = HEAT_NOT_REACHED,
    [FATE_NOT_OBSERVED] = HEAT_NOT_OBSERVED,
    [FATE_UNKNOWN] = HEAT_UNKNOWN,
};
ROW_EACH(classes, FATE_COUNT);

/* ---- fields ---- */

static bool read_block(const struct plot_row *r, enum heat_block *block, bool *shown,
                       struct diag *d)
{
    const char *level = r->fields[HEAT_LEVEL].text;
    *shown = strcmp(level, mutation_name(MUTATE_PAIR)) != 0;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (!strcmp(level, mutation_name(levels[i].kind))) {
            *block = levels[i].block;
            return true;
        }
    return !*shown || plot_error(r, HEAT_LEVEL, d, "level is '%s': no such mutation", level);
}

static enum heat_class grade(double rate)
{
    return rate >= 0.5 ? HEAT_KILLED_HIGH : rate >= 0.05 ? HEAT_KILLED_HALF : HEAT_KILLED_LOW;
}

static bool read_cell(const struct plot_row *r, struct heat_cell *cell, struct diag *d)
{
    struct csv_row row = {r->fields};
    const char *class = r->fields[HEAT_CLASS].text;
    int f = 0;
    while (f < FATE_COUNT && strcmp(class, fate_name((enum fate)f)) != 0)
        f++;
    if (f == FATE_COUNT)
        return plot_error(r, HEAT_CLASS, d, "class is '%s': no such class", class);
    *cell = (struct heat_cell){.class = classes[f]};
    if (!csv_number(r->csv, &row, HEAT_RATE, 0, 1, &cell->rate, d))
        return false;
    if (f == FATE_KILLED && strcmp(r->fields[HEAT_KILLED].text, "0") != 0)
        cell->class = grade(cell->rate);
    return true;
}

/* "fence: barrier all" of "fence: barrier all: v alone": the site, without what became of it. */
static const char *site_name(struct arena *a, const char *what, enum heat_block block)
{
    const char *end = NULL;
    for (const char *p = what; block != BLOCK_REMOVE && (p = strstr(p, ": ")); p++)
        end = p;
    return end ? arena_strndup(a, what, (size_t)(end - what)) : what;
}

/* ---- the table ---- */

static size_t find_case(struct arena *a, struct heat_table *t, const struct plot_row *r)
{
    struct heat_case want = {r->fields[HEAT_RANKS].text, r->fields[HEAT_MODEL].text};
    for (size_t i = 0; i < t->cases.len; i++)
        if (!strcmp(t->cases.items[i].ranks, want.ranks) &&
            !strcmp(t->cases.items[i].model, want.model))
            return i;
    vec_push(a, &t->cases, want);
    return t->cases.len - 1;
}

/* "36", "36 of parts.py", "-". */
static const char *where_of(struct arena *a, const struct plot_row *r, const char *own)
{
    const char *line = r->fields[HEAT_LINE].text, *file = r->fields[HEAT_FILE].text;
    const char *slash = strrchr(file, '/');
    if (!strcmp(line, "0"))
        return "-";
    return strcmp(file, own) ? arena_printf(a, "%s of %s", line, slash ? slash + 1 : file) : line;
}

static struct heat_line *new_line(struct arena *a, const struct plot_row *r, const char *what,
                                  const char *own)
{
    struct heat_line *x = arena_new(a, struct heat_line);
    int line = atoi(r->fields[HEAT_LINE].text);
    bool rule = !strcmp(r->fields[HEAT_LEVEL].text, mutation_name(MUTATE_RULE));
    bool tail = !strcmp(r->fields[HEAT_ORIGIN].text, origin_name(ORIGIN_TAIL));
    *x = (struct heat_line){.file = r->fields[HEAT_FILE].text,
                            .origin = rule ? "" : r->fields[HEAT_ORIGIN].text,
                            .line = rule            ? INT_MAX
                                    : tail || !line ? INT_MAX - 1
                                                    : line,
                            .site = atoi(r->fields[HEAT_SITE].text),
                            .sites = 1};
    vec_push(a, &x->whats, what);
    vec_push(a, &x->wheres, rule || tail ? "-" : where_of(a, r, own));
    return x;
}

static struct heat_line *line_of(struct arena *a, struct heat_table *t, const struct plot_row *r,
                                 const char *what, const char *own)
{
    int site = atoi(r->fields[HEAT_SITE].text);
    vec_foreach (struct heat_line *, x, &t->lines)
        if ((*x)->site == site && !strcmp((*x)->whats.items[0], what))
            return *x;
    struct heat_line *x = new_line(a, r, what, own);
    vec_push(a, &t->lines, x);
    return x;
}

/* Two rows of one cell: never for a removal, which is one; the gravest of other mutations. */
static bool put_cell(const struct plot_row *r, struct heat_cell *at, const struct heat_cell *cell,
                     bool one, struct diag *d)
{
    if (one && at->class != HEAT_NONE)
        return plot_error(
            r, HEAT_SITE, d, "site %s (%s) of %s with %s ranks stands twice for model %s",
            r->fields[HEAT_SITE].text, r->fields[HEAT_LEVEL].text, r->fields[HEAT_KERNEL].text,
            r->fields[HEAT_RANKS].text, r->fields[HEAT_MODEL].text);
    if (cell->class > at->class || (cell->class == at->class && cell->rate > at->rate))
        *at = *cell;
    return true;
}

static bool add_row(struct arena *a, struct heat_table *t, const struct plot_row *r, size_t ncases,
                    const char *own, struct diag *d)
{
    enum heat_block block = BLOCK_REMOVE;
    struct heat_cell cell;
    bool shown;
    if (!read_block(r, &block, &shown, d) || !read_cell(r, &cell, d) || !shown)
        return !d->failed;
    const char *what = site_name(a, r->fields[HEAT_WHAT].text, block);
    struct heat_line *line = line_of(a, t, r, what, own);
    t->blocks[block] = true;
    size_t column = (size_t)block * ncases + find_case(a, t, r);
    return put_cell(r, &line->cells[column], &cell, block == BLOCK_REMOVE, d);
}

static int by_place(const void *p, const void *q)
{
    const struct heat_line *x = *(struct heat_line *const *)p, *y = *(struct heat_line *const *)q;
    int file = strcmp(x->file, y->file);
    if (x->line >= INT_MAX - 1 || y->line >= INT_MAX - 1)
        file = 0;
    if (file || x->line != y->line)
        return file ? file : x->line < y->line ? -1 : 1;
    return (x->site > y->site) - (x->site < y->site);
}

/* ---- lines that look alike ---- */

/* How far apart lines may be that are joined. */
enum closeness { SAME_PLACE, SAME_NAME, SAME_ORIGIN, CLOSENESS_COUNT };

static bool close_enough(const struct heat_line *x, const struct heat_line *y, enum closeness how)
{
    if (strcmp(x->origin, y->origin) != 0 || !*x->origin)
        return false;
    if (how == SAME_PLACE)
        return x->line == y->line && !strcmp(x->file, y->file);
    return how == SAME_ORIGIN || !strcmp(x->whats.items[0], y->whats.items[0]);
}

/* Where both have a mutant, it is of the same class. Of lines that are joined for their origin alone, none
 * shows that it is needed. */
static bool look_alike(const struct heat_line *x, const struct heat_line *y, enum closeness how)
{
    for (size_t i = 0; i < HEAT_MAX_COLUMNS; i++) {
        enum heat_class one = x->cells[i].class, two = y->cells[i].class;
        if (one && two && one != two)
            return false;
        if (how == SAME_ORIGIN && (one > HEAT_REDUNDANT || two > HEAT_REDUNDANT))
            return false;
    }
    return true;
}

static void join(struct arena *a, struct heat_line *x, const struct heat_line *y)
{
    vec_foreach (const char *, w, &y->wheres)
        plot_intern(a, &x->wheres, *w);
    vec_foreach (const char *, w, &y->whats)
        plot_intern(a, &x->whats, *w);
    x->sites += y->sites;
    for (size_t i = 0; i < HEAT_MAX_COLUMNS; i++) {
        struct heat_cell *c = &x->cells[i];
        bool other = c->class && y->cells[i].class && c->rate != y->cells[i].rate;
        *c = c->class ? *c : y->cells[i];
        c->varies |= other;
    }
}

static void join_alike(struct arena *a, struct heat_table *t, enum closeness how)
{
    size_t n = 0;
    for (size_t i = 0; i < t->lines.len; i++) {
        struct heat_line *line = t->lines.items[i], *host = NULL;
        for (size_t k = 0; k < n && !host; k++)
            if (close_enough(t->lines.items[k], line, how) &&
                look_alike(t->lines.items[k], line, how))
                host = t->lines.items[k];
        if (host)
            join(a, host, line);
        else
            t->lines.items[n++] = line;
    }
    t->joined |= n < t->lines.len;
    t->lines.len = n;
}

static bool count_cases(struct arena *a, const plot_rows *rows, size_t *n, struct diag *d)
{
    struct heat_table t = {0};
    vec_foreach (const struct plot_row, r, rows) {
        find_case(a, &t, r);
        if (t.cases.len * BLOCK_COUNT > HEAT_MAX_COLUMNS)
            return plot_error(
                r, HEAT_MODEL, d,
                "more than %d numbers of ranks and models in one picture: choose some "
                "with --where=ranks=N or --where=model=NAME",
                HEAT_MAX_COLUMNS / BLOCK_COUNT);
    }
    *n = t.cases.len;
    return true;
}

bool heat_table_make(struct arena *a, const plot_rows *rows, size_t most, struct heat_table *out,
                     struct diag *d)
{
    size_t ncases = 0;
    *out = (struct heat_table){0};
    if (!count_cases(a, rows, &ncases, d))
        return false;
    const char *own = rows->items[0].fields[HEAT_FILE].text;
    vec_foreach (const struct plot_row, r, rows)
        if (!add_row(a, out, r, ncases, own, d))
            return false;
    if (out->lines.len)
        qsort(out->lines.items, out->lines.len, sizeof *out->lines.items, by_place);
    for (int how = 0; how < CLOSENESS_COUNT && out->lines.len > most; how++)
        join_alike(a, out, (enum closeness)how);
    return true;
}
