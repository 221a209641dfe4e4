/* SPDX-License-Identifier: MIT */
#include "bench/report/trace.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/strbuf.h"
#include "bench/report/report.h"

enum { UNIT_FABRIC = PIPE_COUNT + 1, UNIT_CACHE, UNITS };

const char *trace_unit_name(int unit)
{
    if (unit == UNIT_FABRIC)
        return "fabric";
    if (unit == UNIT_CACHE)
        return "cache";
    return pipe_name(unit == 0 ? PIPE_S : (enum pipe)(unit - 1));
}

int trace_unit(struct transition t)
{
    switch (t.kind) {
    case T_SCALAR:
        return 0;
    case T_PIPE:
        return 1 + t.pipe;
    case T_DELIVER:
        return UNIT_FABRIC;
    default:
        return UNIT_CACHE;
    }
}

enum trace_format trace_format_of(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && !strcmp(path + n - 4, ".txt") ? TRACE_TEXT : TRACE_CHROME;
}

static void event(struct trace *t, json_t *j)
{
    char *text = json_dumps(j, JSON_COMPACT);
    fprintf(t->out, "%s\n%s", t->events++ ? "," : "", text);
    free(text);
    json_decref(j);
}

const char *trace_describe(struct arena *a, const struct machine *m, const struct step *s)
{
    const struct core *c = &m->cores[s->t.core];
    const struct insn *i = s->insn >= 0 ? &c->code->insns[s->insn] : NULL;
    if (s->t.kind == T_DELIVER)
        return arena_printf(a, "deliver %" PRIu64 " bytes at %s", s->len,
                            program_where(m->program, s->addr, a));
    if (s->t.kind == T_EVICT)
        return arena_printf(a, "evict %s",
                            program_where(m->program, c->cache.lines[s->t.index].tag, a));
    if (s->t.kind == T_PREFETCH)
        return arena_printf(a, "prefetch %s",
                            program_where(m->program, m->named[s->t.core].items[s->t.index], a));
    return i ? insn_text(m->program, c->code, i, a) : "-";
}

const char *trace_core(struct arena *a, const struct machine *m, int core)
{
    return program_core_name(m->program, core, a);
}

/* ---- flows ---- */

/* Where the bytes of a write have been: its store, then each time they were posted and delivered. */
struct spot {
    int core, unit;
    double ts;
};
struct stay {
    enum touch_kind kind;
    uint64_t addr, end;
    struct spot at;
};
struct trail {
    bool stored;
    struct spot store;
    VEC(struct stay) stays;
};

enum { MAKERS = 8 }; /* of one value that flows lead from */

static struct trail *trail_of(struct trace *t, uint32_t write)
{
    while (t->trails.len <= write)
        vec_push(&t->arena, &t->trails, NULL);
    if (!t->trails.items[write])
        t->trails.items[write] = arena_new(&t->arena, struct trail);
    return t->trails.items[write];
}

/* At the end of the step's slice, where its effect is, and still within. */
static struct spot spot_of(const struct seen_step *s)
{
    double end = (double)s->step.end - (s->step.end > s->step.start ? 0.5 : 0);
    return (struct spot){s->step.t.core, trace_unit(s->step.t), end / CYCLES_PER_US};
}

static void flow(struct trace *t, const char *phase, const char *name, struct spot at)
{
    json_t *j =
        json_pack("{s:s, s:s, s:s, s:I, s:i, s:i, s:f}", "name", name, "cat", "data", "ph", phase,
                  "id", (json_int_t)t->flows, "pid", at.core, "tid", at.unit, "ts", at.ts);
    if (*phase == 'f')
        json_object_set_new(j, "bp", json_string("e"));
    event(t, j);
}

/* The first time that some of the bytes were posted or delivered, or NULL. */
static const struct stay *first_stay(const struct trail *r, enum touch_kind kind,
                                     const struct touch *of)
{
    vec_foreach (const struct stay, s, &r->stays)
        if (s->kind == kind && s->addr < of->addr + of->len && of->addr < s->end)
            return s;
    return NULL;
}

static void flow_to_read(struct trace *t, const struct touch *read, const struct seen_step *s,
                         uint32_t write)
{
    const struct trail *r = trail_of(t, write);
    if (!r->stored)
        return;
    const struct stay *post = first_stay(r, TOUCH_POST, read),
                      *delivery = first_stay(r, TOUCH_DELIVER, read);
    t->flows++;
    flow(t, "s", read->words, r->store);
    if (post)
        flow(t, "t", read->words, post->at);
    if (delivery)
        flow(t, "t", read->words, delivery->at);
    flow(t, "f", read->words, spot_of(s));
}

static void follow_touch(struct trace *t, const struct machine *m, const struct seen_step *s,
                         const struct touch *x)
{
    uint32_t makers[MAKERS];
    size_t n = m->oracle ? oracle_makers(m->oracle, x->node, makers, MAKERS) : 0;
    for (size_t i = 0; i < n && i < MAKERS; i++) {
        struct trail *r = trail_of(t, makers[i]);
        if (x->kind == TOUCH_READ) {
            flow_to_read(t, x, s, makers[i]);
        } else if (x->kind == TOUCH_WRITE) {
            r->stored = true;
            r->store = spot_of(s);
        } else {
            vec_push(&t->arena, &r->stays,
                     (struct stay){x->kind, x->addr, x->addr + x->len, spot_of(s)});
        }
    }
}

/* Rows of one transfer that come from one write are one flow. */
static void follow(struct trace *t, const struct machine *m, const struct seen_step *s)
{
    const struct touch *before = NULL;
    vec_foreach (const struct touch, x, &s->touches) {
        bool again = before && x->kind == TOUCH_READ && before->kind == TOUCH_READ &&
                     before->node == x->node;
        if (!again)
            follow_touch(t, m, s, x);
        before = x;
    }
}

/* ---- steps ---- */

/* The number of a line in its own file. */
static struct source_line line_of(const struct machine *m, const struct insn *i)
{
    if (!i || !i->span.line)
        return (struct source_line){NULL, 0};
    return m->program->source ? source_place(m->program->source, i->span.line)
                              : (struct source_line){NULL, i->span.line};
}

static const struct insn *insn_of(const struct machine *m, const struct seen_step *s)
{
    return s->at.insn < 0 ? NULL : &m->cores[s->at.core].code->insns[s->at.insn];
}

/* Names of colours that the viewer knows, told apart at a glance. */
static const char *const colours[ORIGIN_COUNT] = {
    [ORIGIN_USER] = "thread_state_running",
    [ORIGIN_W1] = "rail_animation",
    [ORIGIN_W2] = "rail_response",
    [ORIGIN_W3] = "rail_idle",
    [ORIGIN_R1] = "rail_load",
    [ORIGIN_HAND] = "yellow",
    [ORIGIN_CODEGEN] = "olive",
    [ORIGIN_MACRO] = "thread_state_iowait",
    [ORIGIN_AUTO_SYNC] = "grey",
    [ORIGIN_ENTRY] = "startup",
    [ORIGIN_TAIL] = "cq_build_passed",
};

/* " from rank 1, line 36" */
static const char *touch_from(struct arena *a, const struct machine *m, const struct touch *t)
{
    uint32_t write;
    return oracle_makers(m->oracle, t->node, &write, 1)
               ? arena_printf(a, " from %s", touch_source(a, m, t->node))
               : " (initial)";
}

const char *trace_accesses(struct arena *a, const struct machine *m, const struct seen_step *s)
{
    struct strbuf b = strbuf_make(a);
    bool stored = false;
    vec_foreach (const struct touch, x, &s->touches) {
        /* What a store posts at once are its own bytes. */
        if (!x->value || (stored && x->kind == TOUCH_POST))
            continue;
        stored |= x->kind == TOUCH_WRITE;
        strbuf_addf(&b, "%s%s", b.len ? "; " : "", touch_text(a, x));
        if (m->oracle && (x->kind == TOUCH_READ || x->kind == TOUCH_DELIVER))
            strbuf_add(&b, touch_from(a, m, x));
    }
    return b.text;
}

static json_t *accesses_json(struct arena *a, const struct machine *m, const struct seen_step *s)
{
    json_t *list = json_array();
    vec_foreach (const struct touch, x, &s->touches)
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s?, s:s?, s:b}", "does", touch_name(x->kind), "address",
                      x->words, "value", x->value, "from",
                      m->oracle && x->kind != TOUCH_WRITE ? touch_source(a, m, x->node) : NULL,
                      "carried", x->carried));
    return list;
}

static void finding_event(struct trace *t, struct arena *a, const struct machine *m,
                          const struct seen_step *s, const struct finding *f)
{
    int core = s->number < 0 ? (f->reader.core < 0 ? 0 : f->reader.core) : s->step.t.core;
    int unit = s->number < 0 ? 0 : trace_unit(s->step.t);
    event(t, json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:f, s:s, s:{s:s, s:s, s:s}}", "name",
                       report_what(a, m->program, f), "cat", "finding", "ph", "i", "s", "g", "pid",
                       core, "tid", unit, "ts", (double)t->last / CYCLES_PER_US, "cname",
                       "terrible", "args", "finding", report_headline(a, m->program, f), "verdict",
                       verdict_name(f->verdict), "where", where_name(f->where)));
}

static void show_event(struct trace *t, struct arena *a, const struct machine *m,
                       const struct seen_step *s)
{
    const struct insn *i = insn_of(m, s);
    struct source_line line = line_of(m, i);
    json_t *j =
        json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:{s:s?, s:i, s:s, s:I, s:I, s:o}}", "name",
                  s->text, "ph", "X", "pid", s->step.t.core, "tid", trace_unit(s->step.t), "ts",
                  (double)s->step.start / CYCLES_PER_US, "dur",
                  (double)(s->step.end - s->step.start) / CYCLES_PER_US, "args", "file", line.file,
                  "line", line.line, "origin", i ? origin_name((enum origin_kind)i->origin) : "-",
                  "cycle", (json_int_t)s->step.start, "end_cycle", (json_int_t)s->step.end,
                  "accesses", accesses_json(a, m, s));
    if (i)
        json_object_set_new(j, "cname", json_string(colours[i->origin]));
    event(t, j);
    follow(t, m, s);
}

static void show_line(struct trace *t, struct arena *a, const struct machine *m,
                      const struct seen_step *s)
{
    const struct insn *i = insn_of(m, s);
    fprintf(t->out, "%8" PRIu64 " %8" PRIu64 "  rank %-2s %-6s  ", s->step.start, s->step.end,
            trace_core(a, m, s->step.t.core), trace_unit_name(trace_unit(s->step.t)));
    if (i && i->span.line)
        fprintf(t->out, "%-9s ", source_line_words(a, m->program->source, i->span.line));
    const char *accesses = trace_accesses(a, m, s);
    fprintf(t->out, "%s%s%s", s->text, *accesses ? "  # " : "", accesses);
    t->events++;
}

/* An access_watch.fn. */
static void show(void *ctx, const struct machine *m, const struct seen_step *s)
{
    struct trace *t = ctx;
    struct arena a = {0};
    bool text = t->format == TRACE_TEXT;
    if (s->number >= 0) {
        t->last = s->step.end > t->last ? s->step.end : t->last;
        (text ? show_line : show_event)(t, &a, m, s);
    } else if (text && !t->silent) {
        fprintf(t->out, "%17s  ", "end of the run");
    }
    for (int i = 0; i < s->nfindings && !t->silent; i++) {
        if (text)
            fprintf(t->out, "  <== %s", report_what(&a, m->program, &s->findings[i]));
        else
            finding_event(t, &a, m, s, &s->findings[i]);
    }
    if (text && (s->number >= 0 || !t->silent))
        fprintf(t->out, "\n");
    arena_free(&a);
}

void trace_begin(struct trace *t, const struct program *p)
{
    t->watch = (struct access_watch){.fn = show, .ctx = t};
    if (t->format == TRACE_TEXT) {
        fprintf(t->out, "# cycles: start to effect; rank; unit; what\n");
        return;
    }
    fprintf(t->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (int c = 0; c < p->ncores; c++) {
        struct arena a = {0};
        event(t,
              json_pack("{s:s, s:s, s:i, s:{s:s}}", "name", "process_name", "ph", "M", "pid", c,
                        "args", "name",
                        arena_printf(&a, "rank %d core %d", p->cores[c].rank, p->cores[c].index)));
        for (int u = 0; u < UNITS; u++)
            event(t, json_pack("{s:s, s:s, s:i, s:i, s:{s:s}}", "name", "thread_name", "ph", "M",
                               "pid", c, "tid", u, "args", "name", trace_unit_name(u)));
        arena_free(&a);
    }
}

void trace_step(void *ctx, const struct machine *m, const struct step *s)
{
    access_watch_step(&((struct trace *)ctx)->watch, m, s);
}

void trace_end(struct trace *t, const struct machine *m)
{
    access_watch_end(&t->watch, m);
    if (t->format == TRACE_CHROME)
        fprintf(t->out, "\n]}\n");
    arena_free(&t->arena);
}
