/* SPDX-License-Identifier: MIT */
/* Which markers of a kernel matter under which contract: the table of heat_rows.h as coloured cells. */
#include <string.h>

#include "base/table.h"
#include "bench/plot/heat_rows.h"
#include "isa/program.h"

/* Pixels. */
enum {
    CELL_WIDTH = 27,
    BLOCK_GAP = 14,
    BLOCK_WIDTH = 84,
    CHAR_WIDTH = 7,
    MARGIN = 16,
    HEADINGS = 72, /* behind the title and the line below it */
    TOP = HEADINGS + 40,
    MODEL_CHAR = 7,
    ROW_ROOM = 750,
    ROW_MAX = 20,
    ROW_MIN = 11,
    WHERE_WIDTH = 92,
    LEGEND_TOP = 26,
    LEGEND_LINE = 22
};
/* Lines that are high enough to be read; more are joined where they look alike. */
enum { MOST_LINES = ROW_ROOM / 16 };

/* How a class is drawn, and what stands in its cells; a kill by runs says its rate. */
static const struct {
    const char *fill, *text, *mark;
} looks[] = {
    [HEAT_NONE] = {"#ffffff", "black", ""},
    [HEAT_NOT_REACHED] = {"#d9d9d9", "#606060", "-"},
    [HEAT_REDUNDANT] = {"#b8e0b8", "black", ""},
    [HEAT_GIVEN] = {"#66c2a5", "black", "g"},
    [HEAT_FEWER] = {"#e6f598", "black", "f"},
    [HEAT_NOT_OBSERVED] = {"#ffe680", "black", "?"},
    [HEAT_UNKNOWN] = {"#bc80bd", "white", "!"},
    [HEAT_KILLED_EXPLORED] = {"#fdd0c0", "black", "x"},
    [HEAT_KILLED_LOW] = {"#fc9272", "black", NULL},
    [HEAT_KILLED_HALF] = {"#e34a33", "white", NULL},
    [HEAT_KILLED_HIGH] = {"#99000d", "white", NULL},
};
ROW_EACH(looks, HEAT_CLASS_COUNT);

static const struct {
    enum origin_kind origin;
    const char *means;
} origin_legend[] = {
    /* what places a marker, and where */
    {ORIGIN_W1, "behind a write of the own window"},
    {ORIGIN_W2, "behind a write of a peer's window"},
    {ORIGIN_W3, "behind a call that is not seen into"},
    {ORIGIN_R1, "behind a wait"},
    {ORIGIN_MACRO, "inside TNOTIFY, TWAIT, TPUT, TGET"},
    {ORIGIN_CODEGEN, "by code generation"},
    {ORIGIN_AUTO_SYNC, "by the assembler"},
};

/* Pixels, from the left edge of the picture and from the lower edge of the box. */
struct legend_item {
    enum heat_class class; /* HEAT_NONE: it has no box */
    const char *text;
    int x, y;
};

struct heatmap {
    struct arena *arena;
    const plot_rows *rows;
    struct heat_table table;
    struct canvas c;
    double row; /* height */
    bool used[HEAT_CLASS_COUNT];
    VEC(struct legend_item) legend;
};

/* ---- texts ---- */

/* "36, 41", "36, 41 and 3 more". */
static const char *listed(struct arena *a, const plot_names *names, size_t most)
{
    struct strbuf b = strbuf_make(a);
    for (size_t i = 0; i < names->len && i < most; i++)
        strbuf_addf(&b, "%s%s", i ? ", " : "", names->items[i]);
    if (names->len > most)
        strbuf_addf(&b, " and %zu more", names->len - most);
    return b.text;
}

/* "W1.fence: dsb"; an origin that the text names already is left out. */
static const char *line_label(const struct heatmap *h, const struct heat_line *x)
{
    const char *what = listed(h->arena, &x->whats, 2);
    bool named = !*x->origin || strstr(what, x->origin);
    return plot_short(
        h->arena, arena_printf(h->arena, "%s%s%s", named ? "" : x->origin, named ? "" : ".", what));
}

static const char *where_label(const struct heatmap *h, const struct heat_line *x)
{
    if (!strcmp(x->wheres.items[0], "-"))
        return "";
    return arena_printf(h->arena, "L%s", listed(h->arena, &x->wheres, 2));
}

/* Percent, in three characters. */
static const char *rate_text(struct arena *a, double rate)
{
    double percent = 100 * rate;
    if (percent < 1)
        return "<1";
    if (percent >= 99.5)
        return rate < 1 ? ">99" : "100";
    return arena_printf(a, "%.0f", percent);
}

static const char *cell_text(struct arena *a, const struct heat_cell *c)
{
    return looks[c->class].mark ? looks[c->class].mark : c->varies ? "" : rate_text(a, c->rate);
}

/* ---- places ---- */

/* A block is as wide as its name at least. */
static size_t block_pitch(const struct heatmap *h)
{
    size_t cells = h->table.cases.len * CELL_WIDTH;
    return (cells > BLOCK_WIDTH ? cells : BLOCK_WIDTH) + BLOCK_GAP;
}

/* Of the left edge of a column, in pixels from the left edge of the box. */
static double column_left(const struct heatmap *h, size_t column)
{
    size_t block = column / h->table.cases.len, kase = column % h->table.cases.len, before = 0;
    for (size_t b = 0; b < block; b++)
        before += h->table.blocks[b];
    return (double)(before * block_pitch(h) + kase * CELL_WIDTH);
}

static double box_width(const struct heatmap *h)
{
    size_t blocks = 0;
    for (int b = 0; b < BLOCK_COUNT; b++)
        blocks += h->table.blocks[b];
    return (double)(blocks * block_pitch(h) - BLOCK_GAP);
}

static size_t longest_model(const struct heatmap *h)
{
    size_t n = 0;
    vec_foreach (const struct heat_case, x, &h->table.cases)
        n = strlen(plot_short(h->arena, x->model)) > n ? strlen(plot_short(h->arena, x->model)) : n;
    return n;
}

static size_t longest_label(const struct heatmap *h, bool where)
{
    size_t n = 0;
    vec_foreach (struct heat_line *, x, &h->table.lines) {
        const char *text = where ? where_label(h, *x) : line_label(h, *x);
        n = strlen(text) > n ? strlen(text) : n;
    }
    return n;
}

/* Behind the one before, or on a line of its own where that is full or asked for. */
static void place_item(struct heatmap *h, enum heat_class class, const char *text, bool new_line)
{
    int width = (class != HEAT_NONE ? 40 : 15) + (int)strlen(text) * CHAR_WIDTH;
    struct legend_item item = {class, text, MARGIN, LEGEND_TOP};
    if (h->legend.len) {
        const struct legend_item *last = &h->legend.items[h->legend.len - 1];
        item.x =
            last->x + (last->class != HEAT_NONE ? 40 : 15) + (int)strlen(last->text) * CHAR_WIDTH;
        item.y = last->y;
    }
    if (h->legend.len && (new_line || item.x + width > h->c.width)) {
        item.x = MARGIN;
        item.y += LEGEND_LINE;
    }
    vec_push(h->arena, &h->legend, item);
}

/* The classes that occur, then the origins that do. */
static void place_legend(struct heatmap *h)
{
    bool first = true;
    for (int k = HEAT_CLASS_COUNT - 1; k > HEAT_NONE; k--)
        if (h->used[k])
            place_item(h, (enum heat_class)k, heat_class_name((enum heat_class)k), false);
    for (size_t i = 0; i < sizeof origin_legend / sizeof *origin_legend; i++) {
        const char *name = origin_name(origin_legend[i].origin);
        bool occurs = false;
        vec_foreach (struct heat_line *, line, &h->table.lines)
            occurs |= !strcmp((*line)->origin, name);
        if (!occurs)
            continue;
        place_item(h, HEAT_NONE, arena_printf(h->arena, "%s: %s", name, origin_legend[i].means),
                   first);
        first = false;
    }
}

static void size_canvas(struct heatmap *h)
{
    size_t n = h->table.lines.len, where = longest_label(h, true) * CHAR_WIDTH;
    where = where > WHERE_WIDTH ? where : WHERE_WIDTH;
    double row = (double)ROW_ROOM / (double)n;
    h->row = row > ROW_MAX ? ROW_MAX : row < ROW_MIN ? ROW_MIN : row;
    struct canvas c = {.left = 2 * MARGIN + (int)(where + longest_label(h, false) * CHAR_WIDTH),
                       .right = MARGIN,
                       .top = TOP + (int)longest_model(h) * MODEL_CHAR};
    c.width = c.left + (int)box_width(h) + c.right;
    h->c = c;
}

/* When the width is known. */
static void size_height(struct heatmap *h)
{
    place_legend(h);
    h->c.bottom = h->legend.items[h->legend.len - 1].y + LEGEND_LINE;
    h->c.height = h->c.top + (int)(h->row * (double)h->table.lines.len) + h->c.bottom;
}

/* ---- script ---- */

static void add_label(struct strbuf *b, const char *text, const struct heatmap *h, double x,
                      double y, const char *how)
{
    strbuf_add(b, "set label ");
    plot_quote(b, text);
    strbuf_addf(b, " at screen %.4f,%.4f %s\n", x / h->c.width, 1 - y / h->c.height, how);
}

/* A line from one point of the picture to another, in pixels. */
static void add_rule(struct strbuf *b, const struct heatmap *h, double x, double y, double x2,
                     double y2, const char *colour)
{
    strbuf_addf(b, "set arrow from screen %.4f,%.4f to screen %.4f,%.4f nohead lc rgb '%s'\n",
                x / h->c.width, 1 - y / h->c.height, x2 / h->c.width, 1 - y2 / h->c.height, colour);
}

/* Above the columns of a block: its name, below it the ranks where they change, then the contracts. */
static void add_block(struct strbuf *b, const struct heatmap *h, enum heat_block block)
{
    const struct heat_table *t = &h->table;
    const char *ranks = "";
    double left = h->c.left + column_left(h, heat_column(t, block, 0));
    double right = left + (double)(t->cases.len * CELL_WIDTH);
    add_label(b, heat_block_name(block), h, left, HEADINGS, "left font 'sans-serif Bold'");
    add_rule(b, h, left, HEADINGS + 9, right, HEADINGS + 9, "#808080");
    for (size_t k = 0; k < t->cases.len; k++) {
        const struct heat_case *x = &t->cases.items[k];
        double at = h->c.left + column_left(h, heat_column(t, block, k));
        if (strcmp(ranks, x->ranks) != 0)
            add_label(b, arena_printf(h->arena, "P=%s", x->ranks), h, at + 3, HEADINGS + 18,
                      "left font ',10'");
        if (*ranks && strcmp(ranks, x->ranks) != 0)
            add_rule(b, h, at, HEADINGS + 14, at, h->c.height - h->c.bottom, "#404040");
        ranks = x->ranks;
        add_label(b, plot_short(h->arena, x->model), h, at + CELL_WIDTH / 2.0, h->c.top - 4,
                  "left rotate by 90 font ',10'");
    }
}

/* A marker of the kernel's own text or of a rule: what the compiler can leave out. */
static bool is_marker(const struct heat_line *x)
{
    static const enum origin_kind markers[] = {ORIGIN_W1, ORIGIN_W2, ORIGIN_W3, ORIGIN_R1,
                                               ORIGIN_HAND};
    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++)
        if (!strcmp(x->origin, origin_name(markers[i])))
            return true;
    return !*x->origin;
}

/* Beside a line: its place in the source, where that is another than above, and what stands there. */
static void add_line(struct strbuf *b, const struct heatmap *h, size_t i)
{
    const struct heat_line *x = h->table.lines.items[i];
    double top = h->c.top + (double)i * h->row, middle = top + h->row / 2;
    const char *where = where_label(h, x);
    const char *above = i ? where_label(h, h->table.lines.items[i - 1]) : "";
    bool other = !i || strcmp(where, above) != 0;
    int size = h->row < 14 ? 9 : 10;
    if (other)
        add_label(b, where, h, MARGIN, middle, arena_printf(h->arena, "left font ',%d'", size));
    if (other && i)
        add_rule(b, h, MARGIN, top, h->c.width - h->c.right, top, "#c0c0c0");
    add_label(
        b, line_label(h, x), h, h->c.left - 6, middle,
        arena_printf(h->arena, "right font '%s,%d'", is_marker(x) ? "sans-serif Bold" : "", size));
}

/* x, y, text of each cell, a block for each class. */
static void add_cells(struct strbuf *b, const struct heatmap *h)
{
    const struct heat_table *t = &h->table;
    for (int k = HEAT_NONE + 1; k < HEAT_CLASS_COUNT; k++) {
        strbuf_addf(b, "$class%d << END\n", k);
        for (size_t y = 0; y < t->lines.len; y++)
            for (size_t x = 0; x < BLOCK_COUNT * t->cases.len; x++) {
                const struct heat_cell *c = &t->lines.items[y]->cells[x];
                if (c->class != (enum heat_class)k)
                    continue;
                strbuf_addf(b, "%.0f %zu.5 \"%s\"\n", column_left(h, x) + CELL_WIDTH / 2.0, y,
                            cell_text(h->arena, c));
            }
        strbuf_add(b, "END\n");
    }
}

static void add_box(struct strbuf *b, const struct heatmap *h, double x, double y,
                    enum heat_class class)
{
    const char *mark = looks[class].mark ? looks[class].mark : "%";
    strbuf_addf(b,
                "set object rectangle from screen %.4f,%.4f to screen %.4f,%.4f fs solid 1 border "
                "lc rgb '#a0a0a0' fc rgb '%s'\n",
                x / h->c.width, 1 - (y + 8) / h->c.height, (x + 20) / h->c.width,
                1 - (y - 8) / h->c.height, looks[class].fill);
    if (*mark)
        add_label(b, mark, h, x + 10, y,
                  arena_printf(h->arena, "center front font ',9' tc rgb '%s'", looks[class].text));
}

static void add_legend(struct strbuf *b, const struct heatmap *h)
{
    vec_foreach (const struct legend_item, i, &h->legend) {
        double x = i->x, y = h->c.height - h->c.bottom + i->y;
        if (i->class != HEAT_NONE)
            add_box(b, h, x, y, i->class);
        add_label(b, i->text, h, x + (i->class != HEAT_NONE ? 25 : 0), y, "left font ',10'");
    }
}

static void add_plot(struct strbuf *b, const struct heatmap *h)
{
    const char *comma = "plot ";
    strbuf_add(b, "unset key\nunset tics\nunset border\n");
    strbuf_addf(b, "set xrange [0:%.0f]\nset yrange [%zu:0]\n", box_width(h), h->table.lines.len);
    strbuf_add(b, "set style fill solid 1.0 border lc rgb '#ffffff'\n");
    for (int k = HEAT_NONE + 1; k < HEAT_CLASS_COUNT; k++) {
        if (!h->used[k])
            continue;
        strbuf_addf(b,
                    "%s$class%d using 1:2:(%.1f):(0.5) with boxxyerror fc rgb '%s', \\\n     "
                    "$class%d using 1:2:3 with labels font ',%d' tc rgb '%s'",
                    comma, k, CELL_WIDTH / 2.0, looks[k].fill, k, h->row < 14 ? 8 : 9,
                    looks[k].text);
        comma = ", \\\n     ";
    }
    strbuf_add(b, "\n");
}

static const char *subtitle(const struct heatmap *h)
{
    return arena_printf(h->arena, "toolchain %s; a number: of 100 runs so many notice%s",
                        plot_common(h->rows, HEAT_TOOLCHAIN),
                        h->table.joined ? "; lines that look alike are one" : "");
}

static bool one_kernel(const plot_rows *rows, struct diag *d)
{
    static const struct {
        enum heat_field field;
        const char *what;
    } fields[] = {{HEAT_KERNEL, "kernel"}, {HEAT_TOOLCHAIN, "toolchain"}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        vec_foreach (const struct plot_row, r, rows)
            if (strcmp(r->fields[fields[i].field].text,
                       rows->items[0].fields[fields[i].field].text))
                return plot_error(r, fields[i].field, d,
                                  "a picture shows one %s, and these are several: choose one with "
                                  "--where=%s=NAME",
                                  fields[i].what, fields[i].what);
    return true;
}

bool plot_heatmap(struct strbuf *b, const plot_rows *rows, const struct plot_options *o,
                  enum plot_format f, struct diag *d)
{
    (void)o;
    struct heatmap h = {.arena = b->arena, .rows = rows};
    if (!one_kernel(rows, d) || !heat_table_make(b->arena, rows, MOST_LINES, &h.table, d))
        return false;
    if (!h.table.lines.len)
        return plot_error(&rows->items[0], HEAT_LEVEL, d, "there are only pairs: nothing to draw");
    vec_foreach (struct heat_line *, x, &h.table.lines)
        for (size_t i = 0; i < HEAT_MAX_COLUMNS; i++)
            h.used[(*x)->cells[i].class] = true;
    size_canvas(&h);
    const char *title = arena_printf(b->arena, "%s: what notices when a marker is gone, or weaker",
                                     rows->items[0].fields[HEAT_KERNEL].text);
    const char *line = subtitle(&h);
    plot_fit(&h.c, title, line);
    size_height(&h);
    plot_head(b, f, &h.c, title, line);
    for (int k = 0; k < BLOCK_COUNT; k++)
        if (h.table.blocks[k])
            add_block(b, &h, (enum heat_block)k);
    for (size_t i = 0; i < h.table.lines.len; i++)
        add_line(b, &h, i);
    add_cells(b, &h);
    add_legend(b, &h);
    add_plot(b, &h);
    return true;
}
