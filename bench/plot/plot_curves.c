/* SPDX-License-Identifier: MIT */
#include "bench/plot/plot_curves.h"

#include <math.h>
#include <string.h>

#include "base/table.h"

enum { MAX_PAYLOADS = 64 };

static const char *const batch_names[] = {[NONE] = "none", [LOOPS] = "loops"};
ROW_EACH(batch_names, MODES);

struct sample {
    const struct plot_row *row;
    size_t kernel, payload; /* positions among reader.kernels and reader.payloads */
    enum mode batch;
    double ranks, value, half;
};

/* How many samples a kernel has at each payload. */
typedef size_t payload_counts[CURVES_MAX][MAX_PAYLOADS];

struct sample_reader {
    struct arena *arena;
    struct diag *d;
    VEC(struct sample) samples;
    plot_names kernels;
    VEC(double) payloads;
    payload_counts counts;
    bool over_payload;
};

/* ---- rows to samples ---- */

static size_t intern_payload(struct sample_reader *r, double bytes)
{
    for (size_t i = 0; i < r->payloads.len; i++)
        if (r->payloads.items[i] == bytes)
            return i;
    vec_push(r->arena, &r->payloads, bytes);
    return r->payloads.len - 1;
}

static bool read_numbers(struct sample_reader *r, const struct plot_row *row, struct sample *s,
                         double *payload)
{
    struct csv_row fields = {row->fields};
    double low = 0, high = 0;
    if (row->fields[LOW].text && row->fields[HIGH].text &&
        (!csv_number(row->csv, &fields, LOW, -1e15, 1e15, &low, r->d) ||
         !csv_number(row->csv, &fields, HIGH, low, 1e15, &high, r->d)))
        return false;
    s->half = (high - low) / 2;
    if (!csv_number(row->csv, &fields, RANKS, 1, r->over_payload ? 1e15 : CURVES_MAX_RANKS,
                    &s->ranks, r->d) ||
        !csv_number(row->csv, &fields, PAYLOAD, 0, 1e15, payload, r->d) ||
        !csv_number(row->csv, &fields, VALUE, 0, 1e15, &s->value, r->d))
        return false;
    return s->ranks == floor(s->ranks) ||
           plot_error(row, RANKS, r->d, "%s is '%s': expected an integer", row->csv->columns[RANKS],
                      row->fields[RANKS].text);
}

static bool read_sample(struct sample_reader *r, const struct plot_row *row)
{
    struct sample s = {.row = row, .batch = NONE};
    double payload;
    if (!read_numbers(r, row, &s, &payload))
        return false;
    while (s.batch < MODES && strcmp(row->fields[BATCH].text, batch_names[s.batch]))
        s.batch++;
    if (s.batch == MODES)
        return plot_error(row, BATCH, r->d, "batch is '%s': expected none or loops",
                          row->fields[BATCH].text);
    s.kernel = plot_intern(r->arena, &r->kernels, row->fields[KERNEL].text);
    if (s.kernel == CURVES_MAX)
        return plot_error(row, KERNEL, r->d,
                          "more than %d kernels: choose some with --where=kernel=NAME", CURVES_MAX);
    s.payload = intern_payload(r, payload);
    if (s.payload == MAX_PAYLOADS)
        return plot_error(row, PAYLOAD, r->d,
                          "more than %d payloads: choose some with --where=payload_bytes=N",
                          MAX_PAYLOADS);
    r->counts[s.kernel][s.payload]++;
    vec_push(r->arena, &r->samples, s);
    return true;
}

/* ---- one payload a kernel ---- */

/* The payload with the highest count; the larger one of equals. */
static size_t fullest(const struct sample_reader *r, const size_t counts[MAX_PAYLOADS])
{
    size_t best = 0;
    for (size_t p = 1; p < r->payloads.len; p++)
        if (counts[p] > counts[best] ||
            (counts[p] == counts[best] && r->payloads.items[p] > r->payloads.items[best]))
            best = p;
    return best;
}

/* The payload that the most kernels have in full. */
static size_t vote_payload(const struct sample_reader *r)
{
    size_t votes[MAX_PAYLOADS] = {0};
    for (size_t k = 0; k < r->kernels.len; k++)
        for (size_t p = 0; p < r->payloads.len; p++)
            votes[p] += r->counts[k][p] == r->counts[k][fullest(r, r->counts[k])];
    return fullest(r, votes);
}

static bool find_payload(const struct sample_reader *r, double bytes, size_t *out)
{
    struct strbuf have = strbuf_make(r->arena);
    for (*out = 0; *out < r->payloads.len; ++*out) {
        if (r->payloads.items[*out] == bytes)
            return true;
        strbuf_addf(&have, "%s%.0f", *out ? ", " : "", r->payloads.items[*out]);
    }
    return diag_error(r->d, NULL, (struct span){0}, "no row has payload_bytes %.0f: there are %s",
                      bytes, have.text);
}

const char *curves_group(struct arena *a, bool over_payload, double payload)
{
    return over_payload  ? arena_printf(a, "%.0f ranks", payload)
           : payload > 0 ? plot_bytes(a, payload)
                         : "payload not known";
}

/* An empty curve for each kernel, with its payload. */
static void start_curves(const struct sample_reader *r, size_t main, bool asked, struct curves *out)
{
    out->payload = r->payloads.items[main];
    for (size_t k = 0; k < r->kernels.len; k++) {
        size_t own = fullest(r, r->counts[k]);
        bool has_main = r->counts[k][main] == r->counts[k][own] || (asked && r->counts[k][main]);
        struct curve c = {.label = plot_short(r->arena, r->kernels.items[k]),
                          .payload = has_main ? main : own};
        if (!has_main)
            c.label = arena_printf(r->arena, "%s (%s)", c.label,
                                   curves_group(r->arena, r->over_payload, r->payloads.items[own]));
        vec_push(r->arena, &out->list, c);
    }
}

/* ---- samples to points ---- */

static struct point *point_at(struct arena *a, struct curve *c, double ranks)
{
    size_t i = 0;
    while (i < c->points.len && c->points.items[i].ranks < ranks)
        i++;
    if (i < c->points.len && c->points.items[i].ranks == ranks)
        return &c->points.items[i];
    vec_push(a, &c->points, (struct point){0});
    memmove(&c->points.items[i + 1], &c->points.items[i],
            (c->points.len - 1 - i) * sizeof *c->points.items);
    c->points.items[i] = (struct point){.ranks = ranks};
    return &c->points.items[i];
}

static bool stands_twice(const struct sample_reader *r, const struct sample *s,
                         const struct plot_row *before)
{
    static const enum curve_column choices[] = {MODEL, TOOLCHAIN};
    const char *hint = "";
    for (size_t i = 0; i < sizeof choices / sizeof *choices && !*hint; i++) {
        const char *x = before->fields[choices[i]].text, *y = s->row->fields[choices[i]].text;
        if (strcmp(x, y))
            hint = arena_printf(r->arena, ", for %s and for %s: choose with --where=%s=%s", x, y,
                                s->row->csv->columns[choices[i]], x);
    }
    return plot_error(
        s->row, KERNEL, r->d, "%s with %.0f ranks, %.0f bytes and batch %s stands twice%s",
        s->row->fields[KERNEL].text, r->over_payload ? r->payloads.items[s->payload] : s->ranks,
        r->over_payload ? s->ranks : r->payloads.items[s->payload], batch_names[s->batch], hint);
}

static bool add_points(const struct sample_reader *r, struct curves *out)
{
    vec_foreach (struct sample, s, &r->samples) {
        struct curve *c = &out->list.items[s->kernel];
        if (s->payload != c->payload)
            continue;
        struct point *p = point_at(r->arena, c, s->ranks);
        if (p->row[s->batch])
            return stands_twice(r, s, p->row[s->batch]);
        p->row[s->batch] = s->row;
        p->value[s->batch] = s->value;
        p->half[s->batch] = s->half;
    }
    return true;
}

bool curves_read(struct arena *a, const plot_rows *rows, double payload, struct curves *out,
                 struct diag *d)
{
    struct sample_reader *r = arena_new(a, struct sample_reader);
    size_t main;
    *r = (struct sample_reader){.arena = a, .d = d, .over_payload = out->over_payload};
    *out = (struct curves){.arena = a, .over_payload = out->over_payload};
    vec_foreach (const struct plot_row, row, rows)
        if (!read_sample(r, row))
            return false;
    if (payload < 0)
        main = vote_payload(r);
    else if (!find_payload(r, payload, &main))
        return false;
    start_curves(r, main, payload >= 0, out);
    return add_points(r, out);
}
