/* SPDX-License-Identifier: MIT */
/* The plots over the number of ranks: flushes (both ways of marking) and the time that batching
 * saves. */
#include <stdlib.h>
#include <string.h>

#include "bench/plot_internal.h"

/* As in the tables of plot.c; VALUE is flushes_per_rank or cycles_mean. */
enum column { KERNEL, RANKS, PAYLOAD, BATCH, MODEL, TOOLCHAIN, RUNS, VALUE };
enum { NONE, LOOPS, MODES }; /* one flush after each wait; batched */

/* Colours that stay apart for colour-blind readers (Okabe and Ito, without the yellow). The number
 * of shapes has no common divisor with that of colours, so that their pairs repeat late. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#56B4E9", "#E69F00", "#000000"};
static const int shapes[] = {7, 5, 9, 13, 11, 15}; /* filled; the open shape is one less */
enum {
    COLOURS = sizeof colours / sizeof *colours,
    SHAPES = sizeof shapes / sizeof *shapes,
    MAX_CURVES = COLOURS * SHAPES
};
enum { MAX_PAYLOADS = 64, MAX_TICS = 10, MAX_RANKS_SHOWN = 1024 };
enum {
    BOX_WIDTH = 620,
    MIN_HEIGHT = 520,
    LEFT = 88,
    TOP = 76,
    BOTTOM = 60,
    CHAR_WIDTH = 8,
    KEY_SAMPLE = 84,
    KEY_LINE = 21
};

static const char *const batch_names[MODES] = {"none", "loops"};

/* What a kind says and how it draws. A curve has one value a point for each mode that it shows. */
static const struct style {
    const char *title, *what, *ylabel;
    const char *mode_titles[MODES];
    bool log_y;
} styles[] = {
    [PLOT_FLUSHES] = {"Whole-cache flushes executed after waits",
                      "per rank and call",
                      "flushes per rank and call",
                      {"one flush after each wait", "batched: one per run or loop of waits"},
                      true},
    [PLOT_TIME] = {"Time saved by batching the flushes after waits",
                   "per call, against one flush after each wait",
                   "time saved (% of the time per call)",
                   {NULL, NULL},
                   false},
};

struct sample {
    const struct plot_row *row;
    size_t kernel, payload; /* positions among lines.kernels and lines.payloads */
    int batch;
    double ranks, value;
};

struct point {
    double ranks, value[MODES];
    const struct plot_row *row[MODES]; /* NULL: no such value */
};

struct curve {
    const char *label;
    VEC(struct point) points; /* ascending ranks */
    size_t look;              /* colour and shape; curves that coincide share it */
    size_t payload;
};

struct lines {
    struct arena *arena;
    struct diag *d;
    const struct style *style;
    const struct plot_options *o;
    const plot_rows *rows;
    VEC(struct sample) samples;
    plot_names kernels;
    VEC(double) payloads;
    size_t main_payload;
    VEC(struct curve) curves;
    size_t looks;
};

/* ---- rows to samples ---- */

static size_t intern_payload(struct lines *l, double bytes)
{
    for (size_t i = 0; i < l->payloads.len; i++)
        if (l->payloads.items[i] == bytes)
            return i;
    vec_push(l->arena, &l->payloads, bytes);
    return l->payloads.len - 1;
}

static bool read_sample(struct lines *l, const struct plot_row *r)
{
    struct sample s = {.row = r, .batch = NONE};
    struct csv_row row = {r->fields};
    double payload;
    const char *batch = r->fields[BATCH].text;
    if (!csv_number(r->csv, &row, RANKS, 1, MAX_RANKS_SHOWN, &s.ranks, l->d) ||
        !csv_number(r->csv, &row, PAYLOAD, 0, 1e15, &payload, l->d) ||
        !csv_number(r->csv, &row, VALUE, 0, 1e15, &s.value, l->d))
        return false;
    while (s.batch < MODES && strcmp(batch, batch_names[s.batch]))
        s.batch++;
    if (s.batch == MODES)
        return plot_error(r, BATCH, l->d, "batch is '%s': expected none or loops", batch);
    s.kernel = plot_intern(l->arena, &l->kernels, r->fields[KERNEL].text);
    s.payload = intern_payload(l, payload);
    vec_push(l->arena, &l->samples, s);
    if (l->kernels.len > MAX_CURVES)
        return plot_error(r, KERNEL, l->d,
                          "more than %d kernels: choose some with --where=kernel=NAME", MAX_CURVES);
    return l->payloads.len <= MAX_PAYLOADS ||
           plot_error(r, PAYLOAD, l->d,
                      "more than %d payloads: choose some with --where=payload_bytes=N",
                      MAX_PAYLOADS);
}

/* ---- one payload a kernel ---- */

typedef size_t payload_counts[MAX_CURVES][MAX_PAYLOADS];

/* The payload with the most samples of a kernel; the larger one of equals. */
static size_t fullest(const struct lines *l, const size_t counts[MAX_PAYLOADS])
{
    size_t best = 0;
    for (size_t p = 1; p < l->payloads.len; p++)
        if (counts[p] > counts[best] ||
            (counts[p] == counts[best] && l->payloads.items[p] > l->payloads.items[best]))
            best = p;
    return best;
}

static bool find_payload(struct lines *l)
{
    struct strbuf have = strbuf_make(l->arena);
    for (size_t p = 0; p < l->payloads.len; p++) {
        l->main_payload = p;
        if (l->payloads.items[p] == l->o->payload)
            return true;
        strbuf_addf(&have, "%s%.0f", p ? ", " : "", l->payloads.items[p]);
    }
    return diag_error(l->d, NULL, (struct span){0},
                      "no row has the payload of %.0f bytes: there are %s", l->o->payload,
                      have.text);
}

/* The payload that the most kernels have in full. */
static void vote_payload(struct lines *l, const payload_counts counts)
{
    size_t votes[MAX_PAYLOADS] = {0};
    for (size_t k = 0; k < l->kernels.len; k++) {
        size_t most = counts[k][fullest(l, counts[k])];
        for (size_t p = 0; p < l->payloads.len; p++)
            votes[p] += counts[k][p] == most;
    }
    l->main_payload = fullest(l, votes);
}

/* Makes one empty curve for each kernel, with the payload it is shown for. */
static bool choose_payloads(struct lines *l)
{
    payload_counts counts = {{0}};
    vec_foreach (struct sample, s, &l->samples)
        counts[s->kernel][s->payload]++;
    if (l->o->payload >= 0 && !find_payload(l))
        return false;
    if (l->o->payload < 0)
        vote_payload(l, counts);
    for (size_t k = 0; k < l->kernels.len; k++) {
        size_t own = fullest(l, counts[k]), main = l->main_payload;
        bool keep =
            counts[k][main] == counts[k][own] || (l->o->payload >= 0 && counts[k][main] > 0);
        struct curve c = {.label = l->kernels.items[k], .payload = keep ? main : own};
        if (!keep)
            c.label = arena_printf(l->arena, "%s (%s)", c.label,
                                   plot_bytes(l->arena, l->payloads.items[own]));
        vec_push(l->arena, &l->curves, c);
    }
    return true;
}

/* ---- samples to curves ---- */

static struct point *point_at(struct lines *l, struct curve *c, double ranks)
{
    size_t i = 0;
    while (i < c->points.len && c->points.items[i].ranks < ranks)
        i++;
    if (i < c->points.len && c->points.items[i].ranks == ranks)
        return &c->points.items[i];
    vec_push(l->arena, &c->points, (struct point){0});
    memmove(&c->points.items[i + 1], &c->points.items[i],
            (c->points.len - 1 - i) * sizeof *c->points.items);
    c->points.items[i] = (struct point){.ranks = ranks};
    return &c->points.items[i];
}

static bool stands_twice(struct lines *l, const struct sample *s, const struct plot_row *before)
{
    const char *hint = "";
    static const enum column choices[] = {MODEL, TOOLCHAIN};
    for (size_t i = 0; i < 2 && !*hint; i++) {
        const char *x = before->fields[choices[i]].text, *y = s->row->fields[choices[i]].text;
        if (strcmp(x, y))
            hint = arena_printf(l->arena, ", for %s and for %s: choose with --where=%s=%s", x, y,
                                s->row->csv->columns[choices[i]], x);
    }
    return plot_error(s->row, KERNEL, l->d,
                      "%s with %.0f ranks, %.0f bytes and batch %s stands twice%s",
                      l->kernels.items[s->kernel], s->ranks, l->payloads.items[s->payload],
                      batch_names[s->batch], hint);
}

static bool make_curves(struct lines *l)
{
    vec_foreach (struct sample, s, &l->samples) {
        struct curve *c = &l->curves.items[s->kernel];
        if (s->payload != c->payload)
            continue;
        struct point *p = point_at(l, c, s->ranks);
        if (p->row[s->batch])
            return stands_twice(l, s, p->row[s->batch]);
        p->row[s->batch] = s->row;
        p->value[s->batch] = s->value;
    }
    return true;
}

static void keep_points(struct curve *c, bool (*change)(struct point *p))
{
    size_t kept = 0;
    vec_foreach (struct point, p, &c->points)
        if (change(p))
            c->points.items[kept++] = *p;
    c->points.len = kept;
}

/* Both times become the one percentage; a point without one of them goes. */
static bool to_percent(struct point *p)
{
    if (!p->row[NONE] || !p->row[LOOPS] || p->value[NONE] <= 0)
        return false;
    p->value[NONE] = 100 * (p->value[NONE] - p->value[LOOPS]) / p->value[NONE];
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

static bool shape_curves(struct lines *l)
{
    size_t points = 0, kept = 0;
    vec_foreach (struct curve, c, &l->curves) {
        keep_points(c, l->style->log_y ? without_zero : to_percent);
        points += c->points.len;
        if (c->points.len)
            l->curves.items[kept++] = *c;
    }
    l->curves.len = kept;
    return points ||
           diag_error(l->d, NULL, (struct span){0}, "%s",
                      l->style->log_y
                          ? "every flush count is 0: nothing to draw on a logarithmic axis"
                          : "no kernel has rows of batch none and of batch loops to compare");
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

static void choose_looks(struct lines *l)
{
    for (size_t i = 0; i < l->curves.len; i++) {
        size_t same = 0;
        while (same < i && !coincide(&l->curves.items[same], &l->curves.items[i]))
            same++;
        l->curves.items[i].look = same < i ? l->curves.items[same].look : l->looks++;
    }
}

/* ---- script ---- */

static bool shows(const struct curve *c, int mode)
{
    vec_foreach (struct point, p, &c->points)
        if (p->row[mode])
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

/* An axis label for each number of ranks, or for powers of two and the ends when there are many. */
static void add_x_axis(struct strbuf *b, const struct lines *l)
{
    bool seen[MAX_RANKS_SHOWN + 1] = {false};
    int low = MAX_RANKS_SHOWN, high = 1, n = 0;
    vec_foreach (struct curve, c, &l->curves)
        vec_foreach (struct point, p, &c->points) {
            int ranks = (int)p->ranks;
            n += !seen[ranks];
            seen[ranks] = true;
            low = ranks < low ? ranks : low;
            high = ranks > high ? ranks : high;
        }
    strbuf_addf(b, "set logscale x 2\nset xrange [%.6g:%.6g]\nset xtics (", low / 1.15,
                high * 1.15);
    const char *comma = "";
    for (int r = low; r <= high; r++)
        if (seen[r] && (n <= MAX_TICS || !(r & (r - 1)) || r == low || r == high)) {
            strbuf_addf(b, "%s%d", comma, r);
            comma = ", ";
        }
    strbuf_add(b, ")\nset xlabel 'ranks'\n");
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

static void add_y_axis(struct strbuf *b, const struct lines *l)
{
    double low = l->style->log_y ? 1e15 : 0, high = l->style->log_y ? 0 : 1;
    vec_foreach (struct curve, c, &l->curves)
        vec_foreach (struct point, p, &c->points)
            for (int m = 0; m < MODES; m++) {
                if (p->row[m] && p->value[m] < low)
                    low = p->value[m];
                if (p->row[m] && p->value[m] > high)
                    high = p->value[m];
            }
    double room = 0.06 * (high - low);
    if (l->style->log_y) {
        low /= 1.3;
        high *= 1.3;
        add_log_tics(b, low, high);
    } else {
        high += room;
        low -= low < 0 ? room : 0;
        strbuf_add(b, "set xzeroaxis lt 1 lc rgb '#606060'\n");
    }
    strbuf_addf(b, "set yrange [%.6g:%.6g]\nset ylabel '%s'\n", low, high, l->style->ylabel);
}

static void add_data(struct strbuf *b, const struct lines *l)
{
    strbuf_add(b, "set datafile missing '?'\n");
    for (size_t i = 0; i < l->curves.len; i++) {
        const struct curve *c = &l->curves.items[i];
        strbuf_addf(b, "$curve%zu << END\n", i);
        vec_foreach (struct point, p, &c->points) {
            strbuf_addf(b, "%.0f", p->ranks);
            for (int m = 0; m < MODES; m++)
                strbuf_add(b, p->row[m] ? arena_printf(l->arena, " %.6g", p->value[m]) : " ?");
            strbuf_add(b, "\n");
        }
        strbuf_add(b, "END\n");
    }
}

static void add_look(struct strbuf *b, const char *colour, int shape, int mode)
{
    strbuf_addf(b, " with linespoints lw 2 ps 1.2 dt %s pt %d lc rgb '%s'",
                mode == LOOPS ? "(12,8)" : "1", mode == LOOPS ? shape - 1 : shape, colour);
}

/* The entries that say what solid and dashed mean. */
static void add_mode_entries(struct strbuf *b, const struct lines *l, const char **comma)
{
    bool any[MODES] = {false};
    vec_foreach (struct curve, c, &l->curves)
        for (int m = 0; m < MODES; m++)
            any[m] = any[m] || shows(c, m);
    for (int m = 0; m < MODES && l->style->mode_titles[m]; m++) {
        if (!any[m])
            continue;
        strbuf_addf(b, "%skeyentry", *comma);
        add_look(b, "#606060", shapes[0], m);
        strbuf_addf(b, " title '%s'", l->style->mode_titles[m]);
        *comma = ", \\\n     ";
    }
}

static void add_curve(struct strbuf *b, const struct lines *l, size_t i, const char **comma)
{
    const struct curve *c = &l->curves.items[i];
    bool first = true, titled = false, same = l->style->log_y && unchanged(c);
    for (size_t k = 0; k < i; k++)
        first = first && l->curves.items[k].look != c->look;
    for (int m = 0; m < MODES; m++) {
        if (!shows(c, m) || (titled && (same || !first)))
            continue;
        strbuf_add(b, *comma);
        *comma = ", \\\n     ";
        if (first)
            strbuf_addf(b, "$curve%zu using 1:%d", i, m + 2);
        else
            strbuf_add(b, "keyentry");
        add_look(b, colours[c->look % COLOURS], shapes[c->look % SHAPES], m);
        strbuf_add(b, titled ? " notitle" : " title ");
        if (!titled)
            plot_quote(b, same ? arena_printf(l->arena, "%s (no change)", c->label) : c->label);
        titled = true;
    }
}

static void add_plot(struct strbuf *b, const struct lines *l, const struct canvas *c)
{
    const char *comma = "plot ";
    strbuf_addf(b,
                "set key at screen %.4f,%.4f left top Left reverse vertical maxrows 99 samplen 3.5 "
                "spacing 1.25\n",
                1 - (c->right - 12.0) / c->width, 1 - (c->top - 4.0) / c->height);
    strbuf_add(b,
               "set grid xtics ytics lt 1 lc rgb '#dddddd'\nset border 3\nset tics nomirror out\n");
    add_mode_entries(b, l, &comma);
    for (size_t look = 0; look < l->looks; look++)
        for (size_t i = 0; i < l->curves.len; i++)
            if (l->curves.items[i].look == look)
                add_curve(b, l, i, &comma);
    strbuf_add(b, "\n");
}

/* The legend stands to the right of the box and sets the size of the picture. */
static struct canvas size_canvas(const struct lines *l)
{
    size_t chars = 0, entries = l->curves.len + MODES;
    for (int m = 0; m < MODES && l->style->mode_titles[m]; m++)
        chars = strlen(l->style->mode_titles[m]) > chars ? strlen(l->style->mode_titles[m]) : chars;
    vec_foreach (struct curve, c, &l->curves) {
        size_t n =
            strlen(c->label) + (l->style->log_y && unchanged(c) ? strlen(" (no change)") : 0);
        chars = n > chars ? n : chars;
    }
    struct canvas c = {
        .left = LEFT, .top = TOP, .bottom = BOTTOM, .right = KEY_SAMPLE + (int)chars * CHAR_WIDTH};
    int key = TOP + (int)entries * KEY_LINE + BOTTOM;
    c.width = c.left + BOX_WIDTH + c.right;
    c.height = key > MIN_HEIGHT ? key : MIN_HEIGHT;
    return c;
}

static const char *subtitle(const struct lines *l)
{
    struct strbuf b = strbuf_make(l->arena);
    const char *model = plot_common(l->rows, MODEL), *toolchain = plot_common(l->rows, TOOLCHAIN),
               *runs = plot_common(l->rows, RUNS);
    double payload = l->payloads.items[l->main_payload];
    strbuf_addf(&b, "%s; model %s, toolchain %s", l->style->what, model ? model : "varies",
                toolchain ? toolchain : "varies");
    if (payload > 0)
        strbuf_addf(&b, ", payload %s", plot_bytes(l->arena, payload));
    if (runs)
        strbuf_addf(&b, ", mean of %s run%s", runs, strcmp(runs, "1") ? "s" : "");
    return b.text;
}

bool plot_lines(struct strbuf *b, const plot_rows *rows, const struct plot_options *o,
                enum plot_format f, struct diag *d)
{
    struct lines l = {.arena = b->arena, .d = d, .style = &styles[o->kind], .o = o, .rows = rows};
    vec_foreach (const struct plot_row, r, rows)
        if (!read_sample(&l, r))
            return false;
    if (!choose_payloads(&l) || !make_curves(&l) || !shape_curves(&l))
        return false;
    choose_looks(&l);
    struct canvas c = size_canvas(&l);
    plot_head(b, f, &c, l.style->title, subtitle(&l));
    add_x_axis(b, &l);
    add_y_axis(b, &l);
    add_data(b, &l);
    add_plot(b, &l, &c);
    return true;
}
