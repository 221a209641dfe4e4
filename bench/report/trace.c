/* SPDX-License-Identifier: MIT */
#include "bench/report/trace.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

enum { UNIT_FABRIC = PIPE_COUNT + 1, UNIT_CACHE, UNITS };

static const char *unit_name(int unit)
{
    if (unit == UNIT_FABRIC)
        return "fabric";
    if (unit == UNIT_CACHE)
        return "cache";
    return pipe_name(unit == 0 ? PIPE_S : (enum pipe)(unit - 1));
}

static int unit_of(struct transition t)
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

void trace_begin(struct trace *t, const struct program *p)
{
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
                               "pid", c, "tid", u, "args", "name", unit_name(u)));
        arena_free(&a);
    }
}

/* What the step does, in words; line: the source line it comes from, of all files, or 0. */
static const char *describe(struct arena *a, const struct machine *m, const struct step *s,
                            int *line, const char **origin)
{
    const struct core *c = &m->cores[s->t.core];
    const struct insn *i = s->insn >= 0 ? &c->code->insns[s->insn] : NULL;
    *line = i ? i->span.line : 0;
    *origin = i ? origin_name((enum origin_kind)i->origin) : "-";
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

const char *trace_describe(struct arena *a, const struct machine *m, const struct step *s)
{
    int line;
    const char *origin;
    return describe(a, m, s, &line, &origin);
}

const char *trace_core(struct arena *a, const struct machine *m, int core)
{
    return program_core_name(m->program, core, a);
}

void trace_step(void *ctx, const struct machine *m, const struct step *s)
{
    struct trace *t = ctx;
    struct arena a = {0};
    int line, unit = unit_of(s->t);
    const char *origin, *text = describe(&a, m, s, &line, &origin);
    if (t->format == TRACE_TEXT) {
        fprintf(t->out, "%8" PRIu64 " %8" PRIu64 "  rank %-2s %-6s  ", s->start, s->end,
                trace_core(&a, m, s->t.core), unit_name(unit));
        if (line)
            fprintf(t->out, "%-9s ", source_line_words(&a, m->program->source, line));
        fprintf(t->out, "%s\n", text);
        t->events++;
    } else {
        event(t, json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:{s:i, s:s, s:I, s:I}}", "name", text,
                           "ph", "X", "pid", s->t.core, "tid", unit, "ts",
                           (double)s->start / CYCLES_PER_US, "dur",
                           (double)(s->end - s->start) / CYCLES_PER_US, "args", "line",
                           m->program->source ? source_place(m->program->source, line).line : line,
                           "origin", origin, "cycle", (json_int_t)s->start, "end_cycle",
                           (json_int_t)s->end));
    }
    arena_free(&a);
}

void trace_end(struct trace *t)
{
    if (t->format == TRACE_CHROME)
        fprintf(t->out, "\n]}\n");
}
