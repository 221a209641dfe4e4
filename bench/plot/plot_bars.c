/* SPDX-License-Identifier: MIT */
/* Stacked bars, one for each row of the CSV of `flushes`: where the cycles of the slowest core go, and
 * which misses an invalidate behind a wait caused. */
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "bench/plot/plot_internal.h"

/* The columns that both kinds begin with, as in the table of plot.c; the parts follow. */
enum bar_column { KERNEL, RANKS, PAYLOAD, BATCH, MODEL, TOOLCHAIN, RUNS, FIRST_PART };

enum { MAX_BARS = 48, MAX_PARTS = 10 };

/* Pixels. */
enum { BAR_WIDTH = 34, MIN_WIDTH = 420, BOX_HEIGHT = 400, LEFT = 96, TOP = 76, CHAR_HEIGHT = 8 };
enum { KEY_SAMPLE = 64, CHAR_WIDTH = 8, KEY_LINE = 24 };

#define CYCLES_PER_US 1850.0

static const char *const looks[] = {"#BBBBBB", "#0072B2", "#8B4513", "#009E73", "#CC79A7",
                                    "#56B4E9", "#E69F00", "#000000", "#D55E00", "#6A5ACD"};
ROW_EACH(looks, MAX_PARTS);

static const struct bars_style {
    const char *title, *what, *ylabel;
    double unit; /* values are divided by it */
    const char *parts[MAX_PARTS];
} styles[] = {
    [PLOT_BREAKDOWN] = {"Where the time of the slowest core goes",
                        "per call, before batching (none) and after",
                        "us per call",
                        CYCLES_PER_US,
                        {"before the start", "scalar unit", "line fills", "invalidates", "dsb",
                         "pipe barriers", "waits", "flags", "task", "last messages"}},
    [PLOT_REFILLS] = {"Misses, and those that an invalidate behind a wait caused",
                      "per rank and call",
                      "misses per rank and call",
                      1,
                      {"others", "caused by the invalidate"}},
};

struct bars {
    struct arena *arena;
    const struct bars_style *style;
    const plot_rows *rows;
    size_t parts;
    double (*values)[MAX_PARTS]; /* by row */
    bool shown[MAX_PARTS];       /* not 0 everywhere */
};

static bool read_values(struct bars *w, enum plot_kind kind, struct diag *d)
{
    for (size_t i = 0; i < w->rows->len; i++) {
        const struct plot_row *row = &w->rows->items[i];
        double *v = w->values[i];
        for (size_t k = 0; k < w->parts; k++)
            if (!csv_number(row->csv, &(struct csv_row){row->fields}, FIRST_PART + k, -1, 1e15,
                            &v[k], d))
                return false;
        if (kind == PLOT_REFILLS)
            v[0] -= v[1];
        for (size_t k = 0; k < w->parts; k++) {
            v[k] = v[k] > 0 ? v[k] / w->style->unit : 0;
            w->shown[k] |= v[k] > 0;
        }
    }
    return true;
}

/* What tells this bar from the others: the columns in which the rows differ. */
static const char *label(const struct bars *w, const struct plot_row *row)
{
    static const enum bar_column columns[] = {KERNEL, PAYLOAD, TOOLCHAIN, RANKS, BATCH};
    struct strbuf b = strbuf_make(w->arena);
    char *end;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *text = row->fields[columns[i]].text;
        if (plot_common(w->rows, columns[i]) || (columns[i] == PAYLOAD && !strcmp(text, "0")))
            continue;
        strbuf_add(&b, b.len ? ", " : "");
        if (columns[i] == PAYLOAD)
            strbuf_add(&b, plot_bytes(w->arena, strtod(text, &end)));
        else
            strbuf_addf(&b, columns[i] == RANKS ? "P = %s" : "%s", plot_short(w->arena, text));
    }
    return b.text;
}

static const char *bars_subtitle(const struct bars *w)
{
    struct strbuf b = strbuf_make(w->arena);
    const char *kernel = plot_common(w->rows, KERNEL), *payload = plot_common(w->rows, PAYLOAD),
               *ranks = plot_common(w->rows, RANKS), *model = plot_common(w->rows, MODEL),
               *toolchain = plot_common(w->rows, TOOLCHAIN), *runs = plot_common(w->rows, RUNS);
    strbuf_addf(&b, "%s; ", w->style->what);
    if (kernel)
        strbuf_addf(&b, "%s, ", kernel);
    if (ranks)
        strbuf_addf(&b, "%s ranks, ", ranks);
    if (payload && strcmp(payload, "0"))
        strbuf_addf(&b, "payload %s, ", plot_bytes(w->arena, strtod(payload, NULL)));
    strbuf_addf(&b, "model %s, toolchain %s", model ? model : "varies",
                toolchain ? toolchain : "varies");
    if (runs)
        strbuf_addf(&b, ", mean of %s run%s", runs, strcmp(runs, "1") ? "s" : "");
    return b.text;
}

/* Bars of one number of ranks, or of one kernel, stand together: none goes before loops. */
static bool begins_group(const struct bars *w, size_t i)
{
    const struct csv_field *x = w->rows->items[i - 1].fields, *y = w->rows->items[i].fields;
    return strcmp(x[KERNEL].text, y[KERNEL].text) || strcmp(x[RANKS].text, y[RANKS].text) ||
           strcmp(x[PAYLOAD].text, y[PAYLOAD].text) || strcmp(x[TOOLCHAIN].text, y[TOOLCHAIN].text);
}

static void add_data(struct strbuf *b, const struct bars *w)
{
    strbuf_add(b, "$bars << END\n");
    for (size_t i = 0; i < w->rows->len; i++) {
        if (i && begins_group(w, i))
            strbuf_add(b, "\"\"");
        for (size_t k = 0; i && begins_group(w, i) && k < w->parts; k++)
            strbuf_add(b, " 0");
        strbuf_addf(b, "%s\"%s\"", i && begins_group(w, i) ? "\n" : "",
                    label(w, &w->rows->items[i]));
        for (size_t k = 0; k < w->parts; k++)
            strbuf_addf(b, " %.6g", w->values[i][k]);
        strbuf_add(b, "\n");
    }
    strbuf_add(b, "END\n");
}

static size_t longest_label(const struct bars *w)
{
    size_t most = 0;
    vec_foreach (const struct plot_row, r, w->rows) {
        size_t n = strlen(label(w, r));
        most = n > most ? n : most;
    }
    return most;
}

static struct canvas bars_canvas(const struct bars *w)
{
    size_t groups = 0, chars = 0;
    for (size_t i = 1; i < w->rows->len; i++)
        groups += begins_group(w, i);
    for (size_t k = 0; k < w->parts; k++)
        if (w->shown[k] && strlen(w->style->parts[k]) > chars)
            chars = strlen(w->style->parts[k]);
    int box = (int)(w->rows->len + groups) * BAR_WIDTH;
    struct canvas c = {.left = LEFT,
                       .top = TOP,
                       .bottom = 24 + (int)longest_label(w) * CHAR_HEIGHT,
                       .right = KEY_SAMPLE + (int)chars * CHAR_WIDTH};
    c.width = c.left + (box > MIN_WIDTH ? box : MIN_WIDTH) + c.right;
    c.height = c.top + BOX_HEIGHT + c.bottom;
    return c;
}

/* The legend lists the parts from the top of a bar to its foot. */
static void add_parts(struct strbuf *b, const struct bars *w)
{
    const char *comma = "plot ";
    for (size_t k = 0; k < w->parts; k++) {
        if (!w->shown[k])
            continue;
        strbuf_addf(b, "%s$bars using %zu:xtic(1) title ", comma, k + 2);
        plot_quote(b, w->style->parts[k]);
        strbuf_addf(b, " lc rgb '%s' fs solid border lc rgb '#303030'", looks[k]);
        comma = ", \\\n     ";
    }
    strbuf_add(b, "\n");
}

bool plot_bars(struct strbuf *b, const plot_rows *rows, const struct plot_options *o,
               enum plot_format f, struct diag *d)
{
    struct bars w = {.arena = b->arena, .style = &styles[o->kind], .rows = rows};
    if (rows->len > MAX_BARS)
        return diag_error(d, NULL, (struct span){0},
                          "%zu rows: a picture holds at most %d bars; choose some with --where",
                          rows->len, MAX_BARS);
    while (w.parts < MAX_PARTS && w.style->parts[w.parts])
        w.parts++;
    w.values = arena_alloc(b->arena, sizeof *w.values * rows->len);
    if (!read_values(&w, o->kind, d))
        return false;
    struct canvas c = bars_canvas(&w);
    const char *line = bars_subtitle(&w);
    plot_fit(&c, w.style->title, line);
    plot_head(b, f, &c, w.style->title, line);
    strbuf_addf(b, "set ylabel '%s'\nset yrange [0:*]\nset xtics rotate by -90 scale 0\n",
                w.style->ylabel);
    add_data(b, &w);
    strbuf_addf(b,
                "set key at screen %.4f,%.4f left top Left reverse vertical maxrows 99 samplen 2 "
                "spacing 1.25 invert\n",
                1 - (c.right - 12.0) / c.width, 1 - (c.top - 4.0) / c.height);
    strbuf_add(b, "set grid ytics lt 1 lc rgb '#dddddd'\nset border 3\nset tics nomirror out\n"
                  "set style data histograms\nset style histogram rowstacked\nset boxwidth 0.8\n");
    add_parts(b, &w);
    return true;
}
