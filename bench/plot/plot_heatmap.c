/* SPDX-License-Identifier: MIT */
/* The kill rate of each removal under each machine contract, as a table of coloured cells. */
#include <string.h>

#include "base/table.h"
#include "bench/plot/plot_internal.h"

/* As in the table of plot.c. */
enum heat_column {
    KERNEL,
    RANKS,
    MODEL,
    TOOLCHAIN,
    SITE,
    LEVEL,
    ORIGIN,
    WHAT,
    LINE,
    ANCHOR,
    VERDICT,
    RUNS,
    RATE
};
enum { MAX_MODELS = 24, MAX_LINES = 1000 };

/* Pixels. */
enum {
    CELL_WIDTH = 112,
    CELL_HEIGHT = 24,
    CHAR_WIDTH = 8,
    MARGIN = 24,
    TOP = 100,
    BOTTOM = 44,
    RIGHT = 120,
    MIN_BOX = 220
};

static const char title[] = "Kill rate: share of runs in which the removal of a marker is noticed";

enum sweep_verdict { KILLED, SURVIVED, NOT_REACHED, VERDICTS, ABSENT = VERDICTS };
static const char *const verdict_names[] = {
    [KILLED] = "killed", [SURVIVED] = "survived", [NOT_REACHED] = "not reached"};
ROW_EACH(verdict_names, VERDICTS);

/* Cells of a shade share a data block and a plot command. */
enum cell_shade { SHADE_DARK, SHADE_LIGHT, SHADE_SURVIVED, SHADE_NOT_REACHED, SHADES };
static const struct {
    const char *name, *fill, *text;
} shades[] = {
    [SHADE_DARK] = {"dark", "fc palette", "white"},
    [SHADE_LIGHT] = {"light", "fc palette", "black"},
    [SHADE_SURVIVED] = {"survived", "fc rgb 'white'", "#404040"},
    [SHADE_NOT_REACHED] = {"unreached", "fc rgb '#e4e4e4'", "#404040"},
};
ROW_EACH(shades, SHADES);
static const double dark_from = 0.7; /* white text is readable from this rate on */

struct cell {
    enum sweep_verdict verdict;
    double rate;
};

/* A line of the table: the heading of a group, or a removal. */
struct line {
    const char *label;
    const struct plot_row *first;
    bool heading;
    struct cell cells[MAX_MODELS];
};

struct heatmap {
    struct arena *arena;
    struct diag *d;
    const plot_rows *rows;
    plot_names models;
    VEC(struct line *) lines;
    bool toolchains; /* several: headings name theirs */
};

/* ---- rows to lines ---- */

static bool same(const struct plot_row *x, const struct plot_row *y,
                 const enum heat_column *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(x->fields[columns[i]].text, y->fields[columns[i]].text))
            return false;
    return true;
}

/* A group is one program, a removal one of its sites at one level, or what else became of it. */
static bool same_group(const struct plot_row *x, const struct plot_row *y)
{
    static const enum heat_column columns[] = {KERNEL, RANKS, TOOLCHAIN};
    return same(x, y, columns, 3);
}

static bool same_removal(const struct plot_row *x, const struct plot_row *y)
{
    static const enum heat_column columns[] = {SITE, LEVEL, WHAT};
    return same_group(x, y) && same(x, y, columns, 3);
}

static const char *heading_label(const struct heatmap *h, const struct plot_row *r)
{
    const char *ranks = r->fields[RANKS].text;
    return arena_printf(h->arena, "%s, %s rank%s%s%s", r->fields[KERNEL].text, ranks,
                        strcmp(ranks, "1") ? "s" : "", h->toolchains ? ", " : "",
                        h->toolchains ? r->fields[TOOLCHAIN].text : "");
}

/* "W1 fence: dsb, line 27 after tile.store"; an origin that the text names already is left out. All
 * markers of a rule stand on no one line. */
static const char *removal_label(const struct heatmap *h, const struct plot_row *r)
{
    const char *origin = r->fields[ORIGIN].text, *what = r->fields[WHAT].text,
               *anchor = r->fields[ANCHOR].text;
    struct strbuf b = strbuf_make(h->arena);
    if (!strcmp(r->fields[LEVEL].text, "rule"))
        return what;
    if (!strstr(what, origin))
        strbuf_addf(&b, "%s ", origin);
    strbuf_add(&b, what);
    if (strcmp(r->fields[LINE].text, "0"))
        strbuf_addf(&b, ", line %s", r->fields[LINE].text);
    if (*anchor && strcmp(anchor, "-"))
        strbuf_addf(&b, " after %s", anchor);
    return b.text;
}

static struct line *new_line(struct heatmap *h, const struct plot_row *r, const char *label,
                             bool heading, size_t at)
{
    struct line *line = arena_new(h->arena, struct line);
    *line = (struct line){.label = plot_short(h->arena, label), .first = r, .heading = heading};
    for (size_t m = 0; m < MAX_MODELS; m++)
        line->cells[m].verdict = ABSENT;
    vec_push(h->arena, &h->lines, line);
    memmove(&h->lines.items[at + 1], &h->lines.items[at],
            (h->lines.len - 1 - at) * sizeof *h->lines.items);
    h->lines.items[at] = line;
    return line;
}

/* The line of a removal, made at the end of its group when it is new. */
static struct line *line_of(struct heatmap *h, const struct plot_row *r)
{
    size_t end = 0; /* behind the last line of the group */
    for (size_t i = 0; i < h->lines.len; i++) {
        struct line *line = h->lines.items[i];
        if (!line->heading && same_removal(line->first, r))
            return line;
        if (same_group(line->first, r))
            end = i + 1;
    }
    if (!end) {
        end = h->lines.len;
        new_line(h, r, heading_label(h, r), true, end++);
    }
    return new_line(h, r, removal_label(h, r), false, end);
}

static bool read_cell(struct heatmap *h, const struct plot_row *r)
{
    struct cell cell = {.verdict = KILLED};
    struct csv_row row = {r->fields};
    const char *verdict = r->fields[VERDICT].text;
    while (cell.verdict < VERDICTS && strcmp(verdict, verdict_names[cell.verdict]))
        cell.verdict++;
    if (cell.verdict == VERDICTS)
        return plot_error(r, VERDICT, h->d,
                          "verdict is '%s': expected killed, survived or not reached", verdict);
    if (!csv_number(r->csv, &row, RATE, 0, 1, &cell.rate, h->d))
        return false;
    size_t model = plot_intern(h->arena, &h->models, r->fields[MODEL].text);
    if (model == MAX_MODELS)
        return plot_error(r, MODEL, h->d,
                          "more than %d models: choose some with --where=model=NAME", MAX_MODELS);
    struct line *line = line_of(h, r);
    if (h->lines.len > MAX_LINES)
        return plot_error(r, SITE, h->d,
                          "more than %d lines in one picture: choose some with --where=kernel=NAME",
                          MAX_LINES);
    if (line->cells[model].verdict != ABSENT)
        return plot_error(r, SITE, h->d,
                          "site %s (%s) of %s with %s ranks stands twice for model %s",
                          r->fields[SITE].text, r->fields[LEVEL].text, r->fields[KERNEL].text,
                          r->fields[RANKS].text, r->fields[MODEL].text);
    line->cells[model] = cell;
    return true;
}

/* ---- script ---- */

static enum cell_shade shade_of(const struct cell *c)
{
    if (c->verdict != KILLED)
        return c->verdict == SURVIVED ? SHADE_SURVIVED : SHADE_NOT_REACHED;
    return c->rate >= dark_from ? SHADE_DARK : SHADE_LIGHT;
}

/* Percent; one digit behind the point near the ends, so that "100" and "0" are never rounded. */
static const char *cell_text(struct arena *a, const struct cell *c)
{
    double percent = 100 * c->rate;
    if (c->verdict != KILLED)
        return c->verdict == SURVIVED ? "-" : "n/r";
    if (percent < 0.1)
        return "<0.1";
    if (percent >= 99.9 && percent < 100)
        return ">99.9";
    return arena_printf(a, percent < 9.95 || (percent > 99 && percent < 100) ? "%.1f" : "%.0f",
                        percent);
}

/* x, y, percent, text of each cell, a block for each shade. Returns which shades occur. */
static void add_cells(struct strbuf *b, const struct heatmap *h, bool used[SHADES])
{
    for (int s = 0; s < SHADES; s++) {
        strbuf_addf(b, "$%s << END\n", shades[s].name);
        for (size_t y = 0; y < h->lines.len; y++)
            for (size_t x = 0; x < h->models.len; x++) {
                const struct cell *c = &h->lines.items[y]->cells[x];
                if (c->verdict == ABSENT || shade_of(c) != (enum cell_shade)s)
                    continue;
                strbuf_addf(b, "%.1f %.1f %.2f %s\n", (double)x + 0.5, (double)y + 0.5,
                            100 * c->rate, cell_text(b->arena, c));
                used[s] = true;
            }
        strbuf_add(b, "END\n");
    }
}

static void add_axes(struct strbuf *b, const struct heatmap *h)
{
    strbuf_addf(
        b, "set xrange [0:%zu]\nset yrange [%zu:0]\nset x2range [0:%zu]\nunset xtics\nset x2tics (",
        h->models.len, h->lines.len, h->models.len);
    for (size_t x = 0; x < h->models.len; x++) {
        strbuf_add(b, x ? ", " : "");
        plot_quote(b, plot_short(h->arena, h->models.items[x]));
        strbuf_addf(b, " %.1f", (double)x + 0.5);
    }
    strbuf_add(b, ") scale 0\nset ytics (");
    const char *comma = "";
    for (size_t y = 0; y < h->lines.len; y++) {
        if (h->lines.items[y]->heading)
            continue;
        strbuf_add(b, comma);
        plot_quote(b, h->lines.items[y]->label);
        strbuf_addf(b, " %.1f", (double)y + 0.5);
        comma = ", ";
    }
    strbuf_add(b, ") scale 0\nunset border\n");
}

/* A heading and, above all but the first, a line across the picture. */
static void add_headings(struct strbuf *b, const struct heatmap *h, const struct canvas *c)
{
    for (size_t y = 0; y < h->lines.len; y++) {
        if (!h->lines.items[y]->heading)
            continue;
        strbuf_add(b, "set label ");
        plot_quote(b, h->lines.items[y]->label);
        strbuf_addf(b, " at screen %.4f, first %.2f left font 'sans-serif Bold'\n",
                    (double)MARGIN / c->width, (double)y + 0.55);
        if (y)
            strbuf_addf(b,
                        "set arrow from screen %.4f, first %zu to graph 1, first %zu nohead lc rgb "
                        "'#808080'\n",
                        (double)MARGIN / c->width, y, y);
    }
}

static void add_scale(struct strbuf *b, const struct canvas *c)
{
    double h = c->height, room = h - TOP - BOTTOM, bar = room < 320 ? room : 320;
    strbuf_add(b, "set palette defined (0 '#deebf7', 50 '#6baed6', 100 '#08306b')\nset cbrange "
                  "[0:100]\nset cbtics 25\n");
    strbuf_addf(b, "set colorbox user origin screen %.4f,%.4f size screen %.4f,%.4f\n",
                1 - (c->right - 28.0) / c->width, 1 - (c->top + bar) / h, 16.0 / c->width, bar / h);
    strbuf_add(b, "set cblabel 'kill rate (% of runs)'\n");
    strbuf_addf(b,
                "set label 3 '-  survived: no run noticed     n/r  not reached: no run executed it "
                "    empty: not run' "
                "at screen %.4f,%.4f left tc rgb '#404040'\n",
                (double)MARGIN / c->width, 20 / h);
}

static void add_plot(struct strbuf *b, const bool used[SHADES])
{
    const char *comma = "plot ";
    strbuf_add(b, "set style fill solid 1.0 border lc rgb '#a0a0a0'\nunset key\n");
    for (int s = 0; s < SHADES; s++) {
        if (!used[s])
            continue;
        bool graded = s == SHADE_DARK || s == SHADE_LIGHT;
        strbuf_addf(b,
                    "%s$%s using 1:2:(0.5):(0.5)%s with boxxyerror %s, \\\n     $%s using 1:2:4 "
                    "with labels tc rgb '%s'",
                    comma, shades[s].name, graded ? ":3" : "", shades[s].fill, shades[s].name,
                    shades[s].text);
        comma = ", \\\n     ";
    }
    strbuf_add(b, "\n");
}

static size_t longest(const char *text, size_t so_far)
{
    return strlen(text) > so_far ? strlen(text) : so_far;
}

static struct canvas size_canvas(const struct heatmap *h)
{
    size_t label = 0, model = CELL_WIDTH / CHAR_WIDTH - 1;
    vec_foreach (struct line *, line, &h->lines)
        label = longest((*line)->label, label);
    vec_foreach (const char *, name, &h->models)
        model = longest(plot_short(h->arena, *name), model);
    struct canvas c = {
        .left = 2 * MARGIN + (int)label * CHAR_WIDTH, .right = RIGHT, .top = TOP, .bottom = BOTTOM};
    int box = (int)h->lines.len * CELL_HEIGHT;
    c.width = c.left + (int)h->models.len * (int)(model + 1) * CHAR_WIDTH + c.right;
    c.height = c.top + (box > MIN_BOX ? box : MIN_BOX) + c.bottom;
    c.bottom = c.height - c.top - box;
    return c;
}

static const char *subtitle(const struct heatmap *h)
{
    const char *toolchain = plot_common(h->rows, TOOLCHAIN), *runs = plot_common(h->rows, RUNS);
    struct strbuf b = strbuf_make(h->arena);
    strbuf_add(&b, "rows: removals; columns: machine contracts");
    if (toolchain)
        strbuf_addf(&b, "; toolchain %s", toolchain);
    if (runs)
        strbuf_addf(&b, "; %s runs a cell", runs);
    return b.text;
}

bool plot_heatmap(struct strbuf *b, const plot_rows *rows, const struct plot_options *o,
                  enum plot_format f, struct diag *d)
{
    (void)o;
    struct heatmap h = {
        .arena = b->arena, .d = d, .rows = rows, .toolchains = !plot_common(rows, TOOLCHAIN)};
    bool used[SHADES] = {false};
    vec_foreach (const struct plot_row, r, rows)
        if (!read_cell(&h, r))
            return false;
    struct canvas c = size_canvas(&h);
    const char *line = subtitle(&h);
    plot_fit(&c, title, line);
    plot_head(b, f, &c, title, line);
    add_axes(b, &h);
    add_scale(b, &c);
    add_headings(b, &h, &c);
    add_cells(b, &h, used);
    add_plot(b, used);
    return true;
}
