/* SPDX-License-Identifier: MIT */
#include "bench/plot/plot.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/table.h"
#include "bench/plot/gnuplot.h"
#include "bench/report/output.h"
#include "bench/plot/plot_internal.h"

enum { MAX_ROWS = 100000, MAX_FILTERS = 16, MAX_COLUMNS = 20, MAX_LABEL = 100 };
enum { TITLE_MARGIN = 16, TITLE_CHAR = 10, LINE_CHAR = 8 }; /* pixels */

/* The columns that a kind reads, in the order of its column enum, and who draws them. */
static const struct {
    const char *name;
    const char *columns[MAX_COLUMNS];
    bool (*draw)(struct strbuf *b, const plot_rows *rows, const struct plot_options *o,
                 enum plot_format f, struct diag *d);
} kinds[] = {
    [PLOT_FLUSHES] = {"flushes",
                      {"kernel", "ranks", "payload_bytes", "batch", "model", "toolchain", "runs",
                       "flushes_per_rank", "?saved_low", "?saved_high"},
                      plot_lines},
    [PLOT_TIME] = {"time",
                   {"kernel", "ranks", "payload_bytes", "batch", "model", "toolchain", "runs",
                    "cycles_mean", "?saved_low", "?saved_high"},
                   plot_lines},
    /* The axis is the other way around: payload and ranks change places. */
    [PLOT_PAYLOAD] = {"payload",
                      {"kernel", "payload_bytes", "ranks", "batch", "model", "toolchain", "runs",
                       "cycles_mean", "?saved_low", "?saved_high"},
                      plot_lines},
    [PLOT_BREAKDOWN] = {"breakdown",
                        {"kernel", "ranks", "payload_bytes", "batch", "model", "toolchain", "runs",
                         "start", "scalar", "miss", "dcci", "dsb", "barrier", "poll", "flag",
                         "task", "drain"},
                        plot_bars},
    [PLOT_REFILLS] = {"refills",
                      {"kernel", "ranks", "payload_bytes", "batch", "model", "toolchain", "runs",
                       "misses", "refills"},
                      plot_bars},
    [PLOT_HEATMAP] = {"heatmap",
                      {"kernel", "ranks", "model", "toolchain", "site", "level", "origin", "what",
                       "line", "file", "class", "killed", "runs", "rate"},
                      plot_heatmap},
};
ROW_EACH(kinds, PLOT_KINDS);

/* Sizes in pixels come out alike: the SVG terminal counts fonts in pixels, the PNG terminal in
 * points. */
static const struct {
    const char *suffix, *terminal;
    double points; /* factor of point sizes */
} formats[] = {
    [PLOT_SVG] = {"svg", "svg size %d,%d font 'sans-serif,14' noenhanced background rgb 'white'",
                  0.8},
    [PLOT_PNG] = {"png",
                  "pngcairo size %d,%d font 'sans-serif,11' noenhanced background rgb 'white'",
                  1.5},
};
ROW_EACH(formats, PLOT_FORMATS);

const char *plot_kind_name(enum plot_kind k)
{
    return kinds[k].name;
}

/* ---- pieces of a script ---- */

/* Bytes of the well-formed UTF-8 sequence at p, or 0: a stray byte
 * would make the SVG unreadable. */
static size_t utf8_length(const char *p)
{
    unsigned char c = (unsigned char)*p;
    size_t n = c < 0x80                ? 1
               : c >= 0xc2 && c < 0xe0 ? 2
               : c >= 0xe0 && c < 0xf0 ? 3
               : c >= 0xf0 && c < 0xf5 ? 4
                                       : 0;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

void plot_quote(struct strbuf *b, const char *text)
{
    strbuf_add(b, "'");
    for (const char *p = text; *p;) {
        size_t n = utf8_length(p);
        if (n == 0 || (unsigned char)*p < ' ')
            strbuf_add(b, n ? " " : "?");
        else if (*p == '\'')
            strbuf_add(b, "''");
        else
            strbuf_addn(b, p, n);
        p += n ? n : 1;
    }
    strbuf_add(b, "'");
}

void plot_head(struct strbuf *b, enum plot_format f, const struct canvas *c, const char *title,
               const char *subtitle)
{
    double w = c->width, h = c->height;
    strbuf_add(b, "set terminal ");
    strbuf_addf(b, formats[f].terminal, c->width, c->height);
    strbuf_addf(b, "\nset encoding utf8\nset pointsize %g\n", formats[f].points);
    strbuf_addf(b, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", c->left / w,
                1 - c->right / w);
    strbuf_addf(b, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - c->top / h,
                c->bottom / h);
    strbuf_add(b, "set label 1 ");
    plot_quote(b, title);
    strbuf_addf(b, " at screen %.4f,%.4f left font ',%d'\nset label 2 ", TITLE_MARGIN / w,
                1 - 24 / h, f == PLOT_SVG ? 17 : 13);
    plot_quote(b, subtitle);
    strbuf_addf(b, " at screen %.4f,%.4f left tc rgb '#404040'\n", TITLE_MARGIN / w, 1 - 48 / h);
}

const char *plot_short(struct arena *a, const char *text)
{
    return strlen(text) <= MAX_LABEL ? text : arena_printf(a, "%.*s...", MAX_LABEL - 3, text);
}

void plot_fit(struct canvas *c, const char *title, const char *subtitle)
{
    int title_width = (int)strlen(title) * TITLE_CHAR,
        line_width = (int)strlen(subtitle) * LINE_CHAR;
    int need = 2 * TITLE_MARGIN + (title_width > line_width ? title_width : line_width);
    if (c->width >= need)
        return;
    c->right += need - c->width;
    c->width = need;
}

const char *plot_bytes(struct arena *a, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && bytes >= 1024) {
        bytes /= 1024;
        u++;
    }
    return arena_printf(a, "%.6g %s", bytes, units[u]);
}

const char *plot_common(const plot_rows *rows, size_t column)
{
    const char *text = rows->items[0].fields[column].text;
    vec_foreach (const struct plot_row, r, rows)
        if (strcmp(r->fields[column].text, text))
            return NULL;
    return text;
}

bool plot_error(const struct plot_row *r, size_t column, struct diag *d, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(d, r->csv->src, r->fields[column].at, fmt, ap);
    va_end(ap);
    return false;
}

size_t plot_intern(struct arena *a, plot_names *names, const char *text)
{
    for (size_t i = 0; i < names->len; i++)
        if (!strcmp(names->items[i], text))
            return i;
    vec_push(a, names, text);
    return names->len - 1;
}

/* ---- rows ---- */

static bool passes(const struct csv_row *row, size_t first, const struct plot_options *o)
{
    for (size_t i = 0; i < o->nfilters; i++)
        if (strcmp(row->fields[first + i].text, o->filters[i].value))
            return false;
    return true;
}

/* The columns of the kind, then those of the filters. */
static size_t needed_columns(const struct plot_options *o, const char **columns,
                             size_t *first_filter)
{
    size_t n = 0;
    while (n < MAX_COLUMNS && kinds[o->kind].columns[n]) {
        columns[n] = kinds[o->kind].columns[n];
        n++;
    }
    *first_filter = n;
    for (size_t i = 0; i < o->nfilters; i++)
        columns[n++] = o->filters[i].column;
    return n;
}

static bool read_rows(struct arena *a, const struct source *const *files, size_t n,
                      const struct plot_options *o, plot_rows *out, struct diag *d)
{
    if (o->nfilters > MAX_FILTERS)
        return diag_error(d, NULL, (struct span){0}, "more than %d conditions on rows",
                          MAX_FILTERS);
    const char **columns = arena_array(a, const char *, MAX_COLUMNS + MAX_FILTERS);
    size_t first_filter, ncolumns = needed_columns(o, columns, &first_filter);
    for (size_t i = 0; i < n; i++) {
        struct csv *csv = arena_new(a, struct csv);
        if (!csv_read(a, files[i], columns, ncolumns, csv, d))
            return false;
        vec_foreach (const struct csv_row, r, &csv->rows)
            if (passes(r, first_filter, o))
                vec_push(a, out, (struct plot_row){csv, r->fields});
    }
    if (!out->len)
        return diag_error(d, NULL, (struct span){0},
                          "no row of the CSV files meets the conditions of --where");
    if (out->len > MAX_ROWS)
        return diag_error(d, NULL, (struct span){0},
                          "%zu rows: a picture holds at most %d; choose some with --where",
                          out->len, MAX_ROWS);
    return true;
}

/* ---- scripts and pictures ---- */

const char *plot_script(struct arena *a, const struct source *const *files, size_t n,
                        const struct plot_options *o, enum plot_format format, struct diag *d)
{
    plot_rows rows = {0};
    struct strbuf b = strbuf_make(a);
    if (!read_rows(a, files, n, o, &rows, d) || !kinds[o->kind].draw(&b, &rows, o, format, d))
        return NULL;
    return b.text;
}

static bool store(FILE *picture, const char *path, struct diag *d)
{
    struct output out;
    char block[4096];
    if (!output_open(&out, path, d))
        return false;
    for (size_t n; (n = fread(block, 1, sizeof block, picture)) > 0;)
        fwrite(block, 1, n, out.file);
    return output_close(&out, true, d);
}

static bool write_one(struct arena *a, const struct source *const *files, size_t n,
                      const struct plot_options *o, enum plot_format first, const char *base,
                      struct diag *d)
{
    FILE *pictures[PLOT_FORMATS] = {0};
    for (int f = first; f < PLOT_FORMATS && !d->failed; f++) {
        const char *script = plot_script(a, files, n, o, (enum plot_format)f, d);
        pictures[f] = script ? gnuplot_run(script, d) : NULL;
    }
    for (int f = 0; f < PLOT_FORMATS; f++) {
        if (!d->failed && pictures[f])
            store(pictures[f], arena_printf(a, "%s.%s", base, formats[f].suffix), d);
        if (pictures[f])
            fclose(pictures[f]);
    }
    return !d->failed;
}

/* The kernels of a heat map, whose column is the first of its kind. */
static bool find_kernels(struct arena *a, const struct source *const *files, size_t n,
                         const struct plot_options *o, plot_names *out, struct diag *d)
{
    plot_rows rows = {0};
    if (!read_rows(a, files, n, o, &rows, d))
        return false;
    vec_foreach (const struct plot_row, r, &rows)
        plot_intern(a, out, r->fields[0].text);
    return true;
}

bool plot_write(struct arena *a, const struct source *const *files, size_t n,
                const struct plot_options *o, const char *base, struct diag *d)
{
    plot_names kernels = {0};
    if (o->kind == PLOT_HEATMAP && !find_kernels(a, files, n, o, &kernels, d))
        return false;
    if (kernels.len < 2)
        return write_one(a, files, n, o, PLOT_SVG, base, d);
    vec_foreach (const char *, kernel, &kernels) {
        struct plot_filter *filters = arena_array(a, struct plot_filter, o->nfilters + 1);
        struct plot_options of = *o;
        for (size_t i = 0; i < o->nfilters; i++)
            filters[i] = o->filters[i];
        filters[of.nfilters++] = (struct plot_filter){"kernel", *kernel};
        of.filters = filters;
        if (!write_one(a, files, n, &of, PLOT_SVG, arena_printf(a, "%s-%s", base, *kernel), d))
            return false;
    }
    return true;
}

bool plot_png(struct arena *a, const struct source *csv, const struct plot_options *o,
              const char *base, struct diag *d)
{
    return write_one(a, &csv, 1, o, PLOT_PNG, base, d);
}
