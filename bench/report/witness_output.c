/* SPDX-License-Identifier: MIT */
#include "bench/report/witness_output.h"

#include "bench/report/graph.h"
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

/* Runs the witness again and shows every step to fn. The oracle tells where values come from, of litmus
 * tests too. */
static void replay(const struct witness *w,
                   void (*fn)(void *, const struct machine *, const struct step *),
                   void (*end)(void *, const struct machine *), void *ctx)
{
    struct oracle *o = oracle_new(w->program);
    struct machine *m = machine_new(w->program, w->contract,
                                    (struct machine_options){.oracle = o, .kernel = w->oracle});
    machine_reset(m);
    for (int i = 0; i < w->steps; i++) {
        struct step s = step_make(m, w->run[i], (uint64_t)i, (uint64_t)i + 1);
        fn(ctx, m, &s);
        machine_fire(m, w->run[i]);
    }
    int found;
    oracle_findings(o, &found);
    if (w->oracle && !found)
        oracle_finish(o, m); /* then it is found where the run ends */
    end(ctx, m);
    machine_free(m);
    oracle_free(o);
}

static void graph_watch(void *ctx, const struct machine *m, const struct step *s)
{
    access_watch_step(ctx, m, s);
}

/* The machine is there for the last time. */
static void graph_end(void *ctx, const struct machine *m)
{
    struct access_watch *w = ctx;
    access_watch_end(w, m);
    graph_finish(w->ctx);
    graph_dot(((struct run_graph *)w->ctx)->out, w->ctx);
}

static bool write_dot(const struct witness *w, const char *path, struct diag *d)
{
    struct output out;
    if (!output_open(&out, path, d))
        return false;
    struct run_graph g = {.out = out.file, .silent = !w->oracle};
    struct access_watch watch = {.fn = graph_step, .ctx = &g};
    replay(w, graph_watch, graph_end, &watch);
    graph_free(&g);
    return output_close(&out, true, d);
}

static void end_trace(void *ctx, const struct machine *m)
{
    trace_end(ctx, m);
}

/* path NULL: the timeline, on standard output. */
static bool write_trace(const struct witness *w, const char *path, struct diag *d)
{
    struct output out;
    if (!output_open(&out, path, d))
        return false;
    struct trace t = {
        .out = out.file, .format = path ? trace_format_of(path) : TRACE_TEXT, .silent = !w->oracle};
    trace_begin(&t, w->program);
    replay(w, trace_step, end_trace, &t);
    return output_close(&out, true, d);
}

bool witness_write(const struct witness *w, const struct witness_output *o, struct diag *d)
{
    return (!o->timeline || write_trace(w, NULL, d)) && (!o->dot || write_dot(w, o->dot, d)) &&
           (!o->trace || write_trace(w, o->trace, d));
}
