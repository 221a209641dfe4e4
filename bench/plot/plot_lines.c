/* SPDX-License-Identifier: MIT */
/* The plots over the number of ranks: flushes (both ways of marking) and the time that batching
 * saves; the latter over the payload too. What one rank alone does says nothing. */
#include <math.h>
#include <string.h>

#include "bench/plot/plot_curves.h"

/* Colours that stay apart for colour-blind readers (Okabe and Ito, without the yellow). The number
 * of shapes has no common divisor with that of colours, so that their pairs repeat late. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#56B4E9", "#E69F00", "#000000"};
static const int shapes[] = {7, 5, 9, 13, 11}; /* filled; the open shape is one less */
enum { COLOURS = sizeof colours / sizeof *colours, SHAPES = sizeof shapes / sizeof *shapes };
_Static_assert(CURVES_MAX <= COLOURS * SHAPES, "every curve has a look of its own");

/* Pixels. */
enum { BOX_WIDTH = 620, MIN_HEIGHT = 520, LEFT = 96, TOP = 76, BOTTOM = 72, MARGIN = 16 };
enum { CHAR_WIDTH = 8, KEY_SAMPLE = 84, KEY_LINE = 26, NOTE_LINE = 36 };

enum { MAX_TICS = 10, NOTE_CHARS = 60 };

/* What a kind says and how it draws. */
static const struct style {
    const char *title, *what, *ylabel;
    const char *mode_titles[MODES];
    bool log_y;
    const char *left_out, *nothing; /* why some kernels, or all, are not drawn */
} styles[] = {
    [PLOT_FLUSHES] = {"Whole-cache flushes executed after waits",
                      "per rank and call",
                      "flushes per rank and call",
                      {"one flush after each wait", "batched: one per run or loop of waits"},
                      true,
                      "not drawn, because they execute none",
                      "every flush count is 0: nothing to draw on a logarithmic axis"},
    [PLOT_TIME] = {"Time saved by batching the flushes after waits",
                   "per call, against one flush after each wait",
                   "time saved (% of the time per call)",
                   {NULL, NULL},
                   false,
                   "not drawn, because batch none or batch loops is missing",
                   "no kernel has rows of batch none and of batch loops to compare"},
    [PLOT_PAYLOAD] = {"Time saved by batching the flushes after waits, over the payload",
                      "per call, against one flush after each wait",
                      "time saved (% of the time per call)",
                      {NULL, NULL},
                      false,
                      "not drawn, because batch none or batch loops is missing",
                      "no kernel has rows of batch none and of batch loops to compare"},
};

struct drawing {
    struct arena *arena;
    const struct style *style;
    const plot_rows *rows;
    struct curves curves; /* those with points */
    size_t looks;
    struct strbuf left_out; /* names of the others, as many as a line holds */
    size_t more_left_out;
    bool bars; /* some point has an interval */
};

/* ---- curves to what is drawn ---- */

/* Both times become the one percentage; a point without one of them goes. */
static bool to_percent(struct point *p)
{
    if (!p->row[NONE] || !p->row[LOOPS] || p->value[NONE] <= 0)
        return false;
    double left = p->value[LOOPS] / p->value[NONE];
    p->half[NONE] = p->half[LOOPS]; /* of the share, as the batched row has it */
    p->value[NONE] = 100 * (1 - left);
    p->row[LOOPS] = NULL;
    return true;
}

/* A logarithmic axis has no 0. */
static bool without_zero(struct point *p)
{
    for (int m = 0; m < MODES; m++)
        if (p->value[m] <= 0)
            p->row[m] = NULL;
    return p->row[NONE] || p->row[LOOPS];
}

static bool keep_curves(struct drawing *w, struct diag *d)
{
    size_t kept = 0;
    vec_foreach (struct curve, c, &w->curves.list) {
        size_t points = 0;
        vec_foreach (struct point, p, &c->points)
            if ((w->curves.over_payload || p->ranks > 1) &&
                (w->style->log_y ? without_zero(p) : to_percent(p)))
                c->points.items[points++] = *p;
        c->points.len = points;
        if (points)
            w->curves.list.items[kept++] = *c;
        else if (w->left_out.len < NOTE_CHARS)
            strbuf_addf(&w->left_out, "%s%s", w->left_out.len ? ", " : "", c->label);
        else
            w->more_left_out++;
    }
    w->curves.list.len = kept;
    return kept || diag_error(d, NULL, (struct span){0}, "%s", w->style->nothing);
}

static bool has_bars(const struct drawing *w)
{
    vec_foreach (struct curve, c, &w->curves.list)
        vec_foreach (struct point, p, &c->points)
            if (!w->style->log_y && p->half[NONE] > 0)
                return true;
    return false;
}

static bool shows(const struct curve *c, enum mode m)
{
    vec_foreach (struct point, p, &c->points)
        if (p->row[m])
            return true;
    return false;
}

/* Does every point have the same value both ways? */
static bool unchanged(const struct curve *c)
{
    vec_foreach (struct point, p, &c->points)
        if (!p->row[NONE] || !p->row[LOOPS] || p->value[NONE] != p->value[LOOPS])
            return false;
    return true;
}

static bool coincide(const struct curve *x, const struct curve *y)
{
    if (x->points.len != y->points.len)
        return false;
    for (size_t i = 0; i < x->points.len; i++) {
        const struct point *p = &x->points.items[i], *q = &y->points.items[i];
        if (p->ranks != q->ranks)
            return false;
        for (int m = 0; m < MODES; m++)
            if (!p->row[m] != !q->row[m] || (p->row[m] && p->value[m] != q->value[m]))
                return false;
    }
    return true;
}

/* Curves that coincide share a look; the names of those that batching leaves alone say so. */
static void choose_looks(struct drawing *w)
{
    struct curve *curves = w->curves.list.items;
    const char *first[CURVES_MAX]; /* labels as they were */
    for (size_t i = 0; i < w->curves.list.len; i++) {
        size_t same = 0;
        first[i] = curves[i].label;
        while (same < i && !coincide(&curves[same], &curves[i]))
            same++;
        curves[i].look = same < i ? curves[same].look : w->looks++;
        if (same < i)
            curves[i].label = arena_printf(w->arena, "%s (as %s)", curves[i].label, first[same]);
        if (unchanged(&curves[i]))
            curves[i].label = arena_printf(w->arena, "%s (no change)", curves[i].label);
    }
}

/* ---- axes ---- */

/* Points of equal ranks would cover one another. */
static bool is_stepped(const struct drawing *w)
{
    return w->looks > 1 && (w->style->log_y || w->bars);
}

/* Payloads are powers of two as a rule: a label for each, or for every second one when there are many. */
static void add_payload_axis(struct strbuf *b, const struct drawing *w)
{
    double low = 1e15, high = 1;
    vec_foreach (struct curve, c, &w->curves.list)
        vec_foreach (struct point, p, &c->points) {
            low = fmin(low, p->ranks);
            high = fmax(high, p->ranks);
        }
    strbuf_addf(b, "set logscale x 2\nset xrange [%.6g:%.6g]\nset xtics (", low / 1.3, high * 1.3);
    const char *comma = "";
    for (double at = low, step = high / low > 128 ? 4 : 2; at <= high; at *= step) {
        strbuf_addf(b, "%s'%s' %.6g", comma, plot_bytes(w->arena, at), at);
        comma = ", ";
    }
    strbuf_addf(b, ")\nset xlabel 'payload per rank%s'\n",
                is_stepped(w) ? " (points of one payload stand side by side)" : "");
}

/* An axis label for each number of ranks, or for powers of two and the ends when there are many. */
static void add_ranks_axis(struct strbuf *b, const struct drawing *w)
{
    bool seen[CURVES_MAX_RANKS + 1] = {false};
    int low = CURVES_MAX_RANKS, high = 1, n = 0;
    vec_foreach (struct curve, c, &w->curves.list)
        vec_foreach (struct point, p, &c->points) {
            int ranks = (int)p->ranks;
            n += !seen[ranks];
            seen[ranks] = true;
            low = ranks < low ? ranks : low;
            high = ranks > high ? ranks : high;
        }
    strbuf_addf(b, "set logscale x 2\nset xrange [%.6g:%.6g]\nset xtics (", low / 1.3, high * 1.3);
    const char *comma = "";
    for (int r = low; r <= high; r++)
        if (seen[r] && (n <= MAX_TICS || !(r & (r - 1)) || r == low || r == high)) {
            strbuf_addf(b, "%s%d", comma, r);
            comma = ", ";
        }
    strbuf_addf(b, ")\nset xlabel 'ranks%s'\n",
                is_stepped(w) ? " (points of equal ranks stand side by side)" : "");
}

/* 1, 2 and 5 times the powers of ten, or these alone over more than four decades. */
static void add_log_tics(struct strbuf *b, double low, double high)
{
    static const int steps[] = {1, 2, 5};
    const char *comma = "";
    strbuf_add(b, "set logscale y\nset ytics (");
    for (double decade = 1e-6; decade <= high; decade *= 10)
        for (int s = 0; s < (high / low > 1e4 ? 1 : 3); s++)
            if (decade * steps[s] >= low && decade * steps[s] <= high) {
                strbuf_addf(b, "%s%.6g", comma, decade * steps[s]);
                comma = ", ";
            }
    strbuf_add(b, ")\n");
}

static void add_y_axis(struct strbuf *b, const struct drawing *w)
{
    double low = w->style->log_y ? 1e15 : 0, high = w->style->log_y ? 0 : 1;
    vec_foreach (struct curve, c, &w->curves.list)
        vec_foreach (struct point, p, &c->points)
            for (int m = 0; m < MODES; m++) {
                double half = w->style->log_y ? 0 : p->half[m];
                low = p->row[m] ? fmin(low, p->value[m] - half) : low;
                high = p->row[m] ? fmax(high, p->value[m] + half) : high;
            }
    double room = 0.06 * (high - low);
    if (w->style->log_y) {
        low /= 1.3;
        high *= 1.3;
        add_log_tics(b, low, high);
    } else {
        high += room;
        low -= low < 0 ? room : 0;
        strbuf_add(b, "set xzeroaxis lt 1 lc rgb '#606060'\n");
    }
    strbuf_addf(b, "set yrange [%.6g:%.6g]\nset ylabel '%s'\n", low, high, w->style->ylabel);
}

/* ---- data and curves ---- */

/*
 * Flush counts of many kernels coincide, and intervals cover one another: their points stand side by side.
 * The step, in octaves of ranks, keeps the points of one number of ranks together.
 */
static double side_step(const struct drawing *w)
{
    double gap = 1;
    vec_foreach (struct curve, c, &w->curves.list)
        for (size_t i = 1; i < c->points.len; i++)
            gap = fmin(gap, log2(c->points.items[i].ranks / c->points.items[i - 1].ranks));
    return is_stepped(w) ? fmin(0.05, 0.6 * gap / (double)(w->looks - 1)) : 0;
}

static void add_data(struct strbuf *b, const struct drawing *w)
{
    double step = side_step(w), middle = ((double)w->looks - 1) / 2;
    strbuf_add(b, "set datafile missing '?'\n");
    for (size_t i = 0; i < w->curves.list.len; i++) {
        const struct curve *c = &w->curves.list.items[i];
        strbuf_addf(b, "$curve%zu << END\n", i);
        vec_foreach (struct point, p, &c->points) {
            strbuf_addf(b, "%.6g", p->ranks * exp2(step * ((double)c->look - middle)));
            for (int m = 0; m < MODES; m++)
                strbuf_add(b, p->row[m] ? arena_printf(w->arena, " %.6g", p->value[m]) : " ?");
            if (w->bars)
                strbuf_addf(b, " %.6g", p->half[NONE]);
            strbuf_add(b, "\n");
        }
        strbuf_add(b, "END\n");
    }
}

static void add_look(struct strbuf *b, const char *colour, int shape, enum mode m)
{
    strbuf_addf(b, " with linespoints lw 2 dt %s pt %d lc rgb '%s'", m == LOOPS ? "(12,8)" : "1",
                m == LOOPS ? shape - 1 : shape, colour);
}

static void next_item(struct strbuf *b, const char **comma)
{
    strbuf_add(b, *comma);
    *comma = ", \\\n     ";
}

/* The entries that say what solid and dashed mean. */
static void add_mode_entries(struct strbuf *b, const struct drawing *w, const char **comma)
{
    for (enum mode m = NONE; m < MODES && w->style->mode_titles[m]; m++) {
        bool any = false;
        vec_foreach (struct curve, c, &w->curves.list)
            any = any || shows(c, m);
        if (!any)
            continue;
        next_item(b, comma);
        strbuf_add(b, "keyentry");
        add_look(b, "#606060", shapes[0], m);
        strbuf_addf(b, " title '%s'", w->style->mode_titles[m]);
    }
}

/* What the legend shows: the curve of one flush after each wait, if there is one. */
static enum mode lead_mode(const struct curve *c)
{
    return shows(c, NONE) ? NONE : LOOPS;
}

static bool first_of_look(const struct drawing *w, const struct curve *c)
{
    for (const struct curve *before = w->curves.list.items; before < c; before++)
        if (before->look == c->look)
            return false;
    return true;
}

/* Curves that coincide are drawn once, and each is named. */
static void add_curve(struct strbuf *b, const struct drawing *w, const struct curve *c, enum mode m,
                      const char **comma)
{
    next_item(b, comma);
    if (first_of_look(w, c))
        strbuf_addf(b, "$curve%zu using 1:%d", (size_t)(c - w->curves.list.items), m + 2);
    else
        strbuf_add(b, "keyentry");
    add_look(b, colours[c->look % COLOURS], shapes[c->look % SHAPES], m);
    strbuf_add(b, m == lead_mode(c) ? " title " : " notitle");
    if (m == lead_mode(c))
        plot_quote(b, c->label);
}

/* Intervals, in the colours of their curves. */
static void add_bars(struct strbuf *b, const struct drawing *w, const char **comma)
{
    vec_foreach (struct curve, c, &w->curves.list) {
        if (!w->bars || !first_of_look(w, c))
            continue;
        next_item(b, comma);
        strbuf_addf(b, "$curve%zu using 1:2:4 with yerrorbars lw 1.5 ps 0 lc rgb '%s' notitle",
                    (size_t)(c - w->curves.list.items), colours[c->look % COLOURS]);
    }
}

/* Solid curves come first, so that a dashed one stays visible on top of them. */
static void add_curves(struct strbuf *b, const struct drawing *w, const char **comma)
{
    add_bars(b, w, comma); /* points stand on top of them */
    for (size_t look = 0; look < w->looks; look++)
        vec_foreach (struct curve, c, &w->curves.list)
            if (c->look == look)
                add_curve(b, w, c, lead_mode(c), comma);
    vec_foreach (struct curve, c, &w->curves.list)
        if (first_of_look(w, c) && lead_mode(c) == NONE && shows(c, LOOPS) && !unchanged(c))
            add_curve(b, w, c, LOOPS, comma);
}

/* ---- the picture ---- */

/* The legend stands to the right of the box and sets the size of the picture. */
static struct canvas size_canvas(const struct drawing *w)
{
    size_t chars = 0, entries = w->curves.list.len + MODES + 1; /* one to spare */
    for (int m = 0; m < MODES && w->style->mode_titles[m]; m++)
        chars = strlen(w->style->mode_titles[m]) > chars ? strlen(w->style->mode_titles[m]) : chars;
    vec_foreach (struct curve, c, &w->curves.list)
        chars = strlen(c->label) > chars ? strlen(c->label) : chars;
    struct canvas c = {
        .left = LEFT, .top = TOP, .bottom = BOTTOM, .right = KEY_SAMPLE + (int)chars * CHAR_WIDTH};
    c.bottom += w->left_out.len ? NOTE_LINE : 0;
    int key = c.top + (int)entries * KEY_LINE + c.bottom;
    c.width = c.left + BOX_WIDTH + c.right;
    c.height = key > MIN_HEIGHT ? key : MIN_HEIGHT;
    return c;
}

static const char *subtitle(const struct drawing *w)
{
    struct strbuf b = strbuf_make(w->arena);
    const char *model = plot_common(w->rows, MODEL), *toolchain = plot_common(w->rows, TOOLCHAIN),
               *runs = plot_common(w->rows, RUNS);
    strbuf_addf(&b, "%s; model %s, toolchain %s", w->style->what, model ? model : "varies",
                toolchain ? toolchain : "varies");
    if (w->curves.payload > 0)
        strbuf_addf(&b, ", %s%s", w->curves.over_payload ? "" : "payload ",
                    curves_group(w->arena, w->curves.over_payload, w->curves.payload));
    if (runs)
        strbuf_addf(&b, ", mean of %s run%s%s", runs, strcmp(runs, "1") ? "s" : "",
                    w->bars ? " with its 95 % interval" : "");
    return b.text;
}

/* Kernels that are not drawn are named below the picture. */
static void add_note(struct strbuf *b, const struct drawing *w, const struct canvas *c)
{
    if (!w->left_out.len)
        return;
    strbuf_add(b, "set label 3 ");
    const char *more =
        w->more_left_out ? arena_printf(w->arena, " and %zu more", w->more_left_out) : "";
    plot_quote(b, arena_printf(w->arena, "%s: %s%s", w->style->left_out, w->left_out.text, more));
    strbuf_addf(b, " at screen %.4f,%.4f left tc rgb '#404040'\n", (double)MARGIN / c->width,
                (double)MARGIN / c->height);
}

static void add_key(struct strbuf *b, const struct canvas *c)
{
    strbuf_addf(b,
                "set key at screen %.4f,%.4f left top Left reverse vertical maxrows 99 samplen 3.5 "
                "spacing 1.25\n",
                1 - (c->right - 12.0) / c->width, 1 - (c->top - 4.0) / c->height);
    strbuf_add(b,
               "set grid xtics ytics lt 1 lc rgb '#dddddd'\nset border 3\nset tics nomirror out\n");
}

bool plot_lines(struct strbuf *b, const plot_rows *rows, const struct plot_options *o,
                enum plot_format f, struct diag *d)
{
    struct drawing w = {.arena = b->arena,
                        .style = &styles[o->kind],
                        .rows = rows,
                        .left_out = strbuf_make(b->arena)};
    w.curves.over_payload = o->kind == PLOT_PAYLOAD;
    if (!curves_read(b->arena, rows, o->payload, &w.curves, d) || !keep_curves(&w, d))
        return false;
    choose_looks(&w);
    w.bars = has_bars(&w);
    struct canvas c = size_canvas(&w);
    const char *line = subtitle(&w);
    plot_fit(&c, w.style->title, line);
    plot_head(b, f, &c, w.style->title, line);
    add_note(b, &w, &c);
    (w.curves.over_payload ? add_payload_axis : add_ranks_axis)(b, &w);
    add_y_axis(b, &w);
    add_data(b, &w);
    add_key(b, &c);
    const char *comma = "plot ";
    add_mode_entries(b, &w, &comma);
    add_curves(b, &w, &comma);
    strbuf_add(b, "\n");
    return true;
}
