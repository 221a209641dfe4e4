/* SPDX-License-Identifier: MIT */
#include "bench/report/witness_output.h"

#include "base/strbuf.h"
#include "bench/report/output.h"
#include "bench/report/trace.h"
#include "sim/oracle.h"

/* ---- options ---- */

enum { KEY_WITNESS = 0x300, KEY_DOT, KEY_TRACE };

static const struct argp_option options[] = {
    {"witness", KEY_WITNESS, NULL, 0, "Print a shortest run, as a timeline", 1},
    {"dot", KEY_DOT, "FILE", 0, "Write that run as a DOT graph", 1},
    {"trace", KEY_TRACE, "FILE", 0,
     "Write that run as a Chrome/Perfetto trace, or as text for FILE.txt", 1},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct witness_output *o = s->input;
    switch (key) {
    case KEY_WITNESS:
        o->timeline = true;
        return 0;
    case KEY_DOT:
        o->dot = arg;
        return 0;
    case KEY_TRACE:
        o->trace = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp witness_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

bool witness_output_wanted(const struct witness_output *o)
{
    return o->timeline || o->dot || o->trace;
}

/* ---- searching ---- */

/* Without reduction first: only then is the run the shortest of all. Where there are too many states,
 * one that a search in depth comes to. */
void witness_find(struct witness *w,
                  bool (*wanted)(void *ctx, struct machine *m, bool final, bool deadlock),
                  void *ctx, struct arena *a)
{
    struct witness_options o = {
        .oracle = w->oracle, .max_states = WITNESS_STATES, .wanted = wanted, .ctx = ctx};
    w->steps = witness_search(w->program, w->contract, &o, a, &w->run);
    w->shortest = w->steps != WITNESS_UNKNOWN;
    if (w->shortest)
        return;
    o.reduction = true;
    w->steps = witness_search(w->program, w->contract, &o, a, &w->run);
    w->short_of_some = w->steps != WITNESS_UNKNOWN;
    if (w->short_of_some)
        return;
    o.depth_first = true;
    w->steps = witness_search(w->program, w->contract, &o, a, &w->run);
}

const char *witness_title(struct arena *a, const struct witness *w, const char *where)
{
    if (w->steps < 0)
        return arena_printf(a, "no run to %s within %d states", where, WITNESS_STATES);
    const char *which = w->shortest        ? "a shortest run"
                        : w->short_of_some ? "a short run"
                                           : "a run, not the shortest,";
    return arena_printf(a, "%s of %d step%s to %s (times count steps):", which, w->steps,
                        w->steps == 1 ? "" : "s", where);
}

/* ---- showing ---- */

/* Runs the witness again and shows every step to fn. */
static void replay(const struct witness *w,
                   void (*fn)(void *, const struct machine *, const struct step *), void *ctx)
{
    struct oracle *o = w->oracle ? oracle_new(w->program) : NULL;
    struct machine *m = machine_new(w->program, w->contract,
                                    (struct machine_options){.oracle = o, .kernel = o != NULL});
    machine_reset(m);
    for (int i = 0; i < w->steps; i++) {
        struct step s = step_make(m, w->run[i], (uint64_t)i, (uint64_t)i + 1);
        fn(ctx, m, &s);
        machine_fire(m, w->run[i]);
    }
    machine_free(m);
    oracle_free(o);
}

struct dot {
    FILE *out;
    int *last; /* per core and unit: its last node */
    int nodes;
};

enum { DOT_UNITS = PIPE_COUNT + 2 };

/* A DOT string, with the quotes. */
static const char *quoted(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, "\"");
    for (; *text; text++) {
        strbuf_add(&b, *text == '"' || *text == '\\' ? "\\" : "");
        strbuf_addn(&b, text, 1);
    }
    strbuf_add(&b, "\"");
    return b.text;
}

static void dot_step(void *ctx, const struct machine *m, const struct step *s)
{
    struct dot *d = ctx;
    struct arena a = {0};
    int unit = s->t.kind == T_SCALAR ? 0 : s->t.kind == T_PIPE ? 1 + s->t.pipe : PIPE_COUNT + 1;
    int *last = &d->last[s->t.core * DOT_UNITS + unit];
    const char *label = arena_printf(&a, "%d: rank %s %s", d->nodes, trace_core(&a, m, s->t.core),
                                     trace_describe(&a, m, s));
    fprintf(d->out, "  n%d [label=%s];\n", d->nodes, quoted(&a, label));
    if (*last >= 0)
        fprintf(d->out, "  n%d -> n%d;\n", *last, d->nodes);
    *last = d->nodes++;
    arena_free(&a);
}

static bool write_dot(const struct witness *w, const char *path, struct diag *d)
{
    struct output out;
    if (!output_open(&out, path, d))
        return false;
    int units = w->program->ncores * DOT_UNITS;
    struct dot dot = {.out = out.file, .last = arena_array(d->arena, int, (size_t)units)};
    for (int i = 0; i < units; i++)
        dot.last[i] = -1;
    fprintf(out.file, "digraph witness {\n  node [shape=box, fontname=\"sans-serif\"];\n");
    replay(w, dot_step, &dot);
    fprintf(out.file, "}\n");
    return output_close(&out, true, d);
}

/* path NULL: the timeline, on standard output. */
static bool write_trace(const struct witness *w, const char *path, struct diag *d)
{
    struct output out;
    if (!output_open(&out, path, d))
        return false;
    struct trace t = {.out = out.file, .format = path ? trace_format_of(path) : TRACE_TEXT};
    trace_begin(&t, w->program);
    replay(w, trace_step, &t);
    trace_end(&t);
    return output_close(&out, true, d);
}

bool witness_write(const struct witness *w, const struct witness_output *o, struct diag *d)
{
    return (!o->timeline || write_trace(w, NULL, d)) && (!o->dot || write_dot(w, o->dot, d)) &&
           (!o->trace || write_trace(w, o->trace, d));
}
