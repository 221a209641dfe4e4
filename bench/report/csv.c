/* SPDX-License-Identifier: MIT */
#include "bench/report/csv.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

typedef VEC(struct csv_field) record;

struct csv_scan {
    struct arena *arena;
    struct diag *d;
    const struct source *src;
    const char *p, *line_start;
    int line;
};

static struct span span_here(const struct csv_scan *s, int len)
{
    return (struct span){s->line, (int)(s->p - s->line_start) + 1, len};
}

static void next_line(struct csv_scan *s)
{
    s->line++;
    s->line_start = ++s->p;
}

static bool at_end_of_line(const char *p)
{
    return *p == '\0' || *p == '\n' || (*p == '\r' && (p[1] == '\n' || p[1] == '\0'));
}

/* ---- fields and records ---- */

static bool read_quoted(struct csv_scan *s, struct csv_field *out)
{
    struct strbuf text = strbuf_make(s->arena);
    out->at = span_here(s, 1);
    for (s->p++; s->p[0] != '"' || s->p[1] == '"';) {
        if (!*s->p)
            return diag_error(s->d, s->src, out->at,
                              "expected a closing quote before the end of the file");
        strbuf_addn(&text, s->p, 1);
        if (*s->p == '\n')
            next_line(s);
        else
            s->p += *s->p == '"' ? 2 : 1;
    }
    s->p++;
    out->text = text.text;
    if (*s->p != ',' && !at_end_of_line(s->p))
        return diag_error(s->d, s->src, span_here(s, 1),
                          "expected a comma or the end of the line behind the quote");
    return true;
}

static bool read_field(struct csv_scan *s, struct csv_field *out)
{
    if (*s->p == '"')
        return read_quoted(s, out);
    size_t n = 0;
    while (s->p[n] != ',' && !at_end_of_line(s->p + n))
        n++;
    *out = (struct csv_field){arena_strndup(s->arena, s->p, n), span_here(s, (int)n)};
    s->p += n;
    return true;
}

/* Reads one line of fields (an empty line is one empty field) and goes behind its end. */
static bool read_record(struct csv_scan *s, record *out)
{
    struct csv_field field;
    out->len = 0;
    do {
        if (out->len)
            s->p++;
        if (!read_field(s, &field))
            return false;
        vec_push(s->arena, out, field);
    } while (*s->p == ',');
    s->p += *s->p == '\r';
    if (*s->p)
        next_line(s);
    return true;
}

static bool is_empty(const record *r)
{
    return r->len == 1 && !*r->items[0].text;
}

/* ---- header and rows ---- */

#define NO_COLUMN SIZE_MAX

static const char *column_list(struct arena *a, const char *const *columns, size_t n)
{
    struct strbuf b = strbuf_make(a);
    for (size_t i = 0; i < n; i++)
        if (*columns[i] != '?')
            strbuf_addf(&b, "%s%s", i ? ", " : "", columns[i]);
    return b.text;
}

/* places[i]: which field of a record is the i-th column asked for; NO_COLUMN: none, of one that may be
 * missing. */
static bool find_columns(struct csv_scan *s, const record *header, const char *const *columns,
                         size_t n, size_t *places)
{
    for (size_t i = 0; i < n; i++) {
        bool may_miss = *columns[i] == '?';
        places[i] = NO_COLUMN;
        for (size_t k = 0; k < header->len; k++) {
            if (strcmp(header->items[k].text, columns[i] + may_miss))
                continue;
            if (places[i] != NO_COLUMN)
                return diag_error(s->d, s->src, header->items[k].at, "column '%s' stands twice",
                                  columns[i]);
            places[i] = k;
        }
        if (places[i] == NO_COLUMN && !may_miss)
            return diag_error(s->d, s->src, header->items[0].at,
                              "no column '%s' in the header: expected the columns %s", columns[i],
                              column_list(s->arena, columns, n));
    }
    return true;
}

static bool read_row(struct csv_scan *s, const record *r, size_t width, const size_t *places,
                     size_t n, struct csv *out)
{
    if (r->len != width)
        return diag_error(s->d, s->src, r->items[0].at,
                          "%zu field%s, but the header names %zu column%s", r->len,
                          r->len == 1 ? "" : "s", width, width == 1 ? "" : "s");
    struct csv_field *fields = arena_array(s->arena, struct csv_field, n + 1);
    for (size_t i = 0; i < n; i++)
        fields[i] = places[i] == NO_COLUMN ? (struct csv_field){0} : r->items[places[i]];
    vec_push(s->arena, &out->rows, (struct csv_row){fields});
    return true;
}

bool csv_read(struct arena *a, const struct source *src, const char *const *columns, size_t n,
              struct csv *out, struct diag *d)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    bool marked = strncmp(src->text, byte_order_mark, sizeof byte_order_mark - 1) == 0;
    const char *text = src->text + (marked ? sizeof byte_order_mark - 1 : 0);
    struct csv_scan s = {a, d, src, text, text, 1};
    size_t *places = arena_array(a, size_t, n + 1), width = 0;
    record r = {0};
    *out = (struct csv){.src = src, .columns = columns};
    while (*s.p) {
        if (!read_record(&s, &r))
            return false;
        if (is_empty(&r))
            continue;
        if (width ? !read_row(&s, &r, width, places, n, out)
                  : !find_columns(&s, &r, columns, n, places))
            return false;
        width = width ? width : r.len;
    }
    if (!width)
        return diag_error(d, src, (struct span){0},
                          "is empty: expected a header line with the columns %s",
                          column_list(a, columns, n));
    return out->rows.len || diag_error(d, src, (struct span){0}, "has a header line but no rows");
}

bool csv_number(const struct csv *csv, const struct csv_row *row, size_t column, double low,
                double high, double *out, struct diag *d)
{
    const struct csv_field *f = &row->fields[column];
    char *end;
    *out = strtod(f->text, &end);
    if (end == f->text || *end || !isfinite(*out) || *out < low || *out > high)
        return diag_error(d, csv->src, f->at, "%s is '%s': expected a number from %g to %g",
                          csv->columns[column] + (*csv->columns[column] == '?'), f->text, low,
                          high);
    return true;
}
