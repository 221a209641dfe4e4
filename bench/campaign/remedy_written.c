/* SPDX-License-Identifier: MIT */
#include "bench/campaign/remedy_written.h"

#include <string.h>

#include "base/stop.h"
#include "base/strbuf.h"

/* ---- the text ---- */

static void add_calls(struct strbuf *b, int line, bool after, const remedy_calls *calls)
{
    vec_foreach (const struct remedy_call, c, calls)
        if (c->line == line && c->after == after)
            strbuf_addf(b, "%*s%s\n", c->col - 1, "", c->call);
}

/* The files behind the first one begin as many lines later as calls stand in front of them. */
static void begin_parts(struct source *written, struct source_part *parts, size_t *n, int line,
                        int moved)
{
    for (; *n < written->nparts && parts[*n].first_line == line; ++*n) {
        parts[*n].first_line += moved;
        parts[*n].offset = written->len;
    }
}

const struct source *calls_written(struct arena *a, const struct source *s,
                                   const remedy_calls *calls)
{
    struct strbuf b = strbuf_make(a);
    struct source *written = arena_dup(a, s, sizeof *s);
    struct source_part *parts = arena_array(a, struct source_part, s->nparts + 1);
    for (size_t i = 0; i < s->nparts; i++)
        parts[i] = s->parts[i];
    int line = 1;
    size_t n = 0;
    for (const char *at = s->text;; line++) {
        size_t len = strcspn(at, "\n");
        int moved = 0;
        vec_foreach (const struct remedy_call, c, calls)
            moved += c->line < line;
        written->len = b.len;
        begin_parts(written, parts, &n, line, moved);
        if (!*at)
            break;
        add_calls(&b, line, false, calls);
        strbuf_addn(&b, at, len);
        strbuf_add(&b, "\n");
        add_calls(&b, line, true, calls);
        at += len + (at[len] == '\n');
    }
    written->text = b.text;
    written->parts = parts;
    return written;
}

int calls_moved_line(const remedy_calls *calls, int line)
{
    int moved = line;
    vec_foreach (const struct remedy_call, c, calls)
        moved += c->line < line || (c->line == line && !c->after);
    return moved;
}

static bool same_call(const struct remedy_call *x, const struct remedy_call *y)
{
    return x->line == y->line && x->after == y->after && !strcmp(x->call, y->call);
}

static void unite(struct arena *a, remedy_calls *to, const struct remedy_found *r)
{
    for (int i = 0; i < r->ncalls; i++) {
        bool have = false;
        vec_foreach (const struct remedy_call, c, to)
            have |= same_call(c, &r->calls[i]);
        if (!have)
            vec_push(a, to, r->calls[i]);
    }
}

/* ---- the trial ---- */

/* A written file, compiled, and what it showed so far. */
struct written {
    const struct source *source;
    const struct program *program; /* NULL: it is no program */
    struct remedy_judge judge;
    struct evidence seen;
};

struct trials {
    struct arena *arena;
    const struct compilation *from;
    const struct program *program;
    const struct remedy_judge *judge;
    const struct evidence *base;
    VEC(struct written *) written;
};

static struct written *written_with(struct trials *t, const remedy_calls *calls)
{
    const struct compilation *c = t->from;
    struct arena *a = t->arena;
    const struct source *source = calls_written(a, c->kernel->source, calls);
    vec_foreach (struct written *, w, &t->written)
        if (!strcmp((*w)->source->text, source->text))
            return *w;
    struct written *w = arena_new(a, struct written);
    struct diag d = {.arena = a};
    const struct kernel *k = kernel_of_source(a, c->kernel, source, &d);
    const struct program *p = k ? kernel_compile(a, k, &c->options, c->nranks, &d) : NULL;
    *w = (struct written){.source = source, .program = p, .judge = *t->judge};
    if (p) {
        w->judge.golden = golden_run(a, p, c->sc, t->judge->options.max_transitions);
        w->judge.options.named = machine_load_lines(a, p, t->judge->contract, true);
    }
    vec_push(a, &t->written, w);
    return w;
}

/* A finding of a program, looked for in the one of the written file. */
struct moved_finding {
    const struct program *before, *after;
    const remedy_calls *calls;
    const struct finding *finding;
};

/* The two places are one operation of one statement, whose line has moved. */
static bool is_moved(const struct moved_finding *s, struct place x, struct place y)
{
    if (x.core < 0 || x.insn < 0 || y.core < 0 || y.insn < 0)
        return (x.core < 0) == (y.core < 0) && x.insn == y.insn;
    const struct insn *i = &s->before->cores[x.core].code->insns[x.insn],
                      *k = &s->after->cores[y.core].code->insns[y.insn];
    return k->span.line == calls_moved_line(s->calls, i->span.line) && k->span.col == i->span.col &&
           k->op == i->op;
}

static bool remains(const void *ctx, const struct evidence *seen)
{
    const struct moved_finding *s = ctx;
    const struct finding *f = s->finding;
    vec_foreach (const struct finding, g, &seen->findings)
        if (g->verdict == f->verdict && is_moved(s, f->reader, g->reader) &&
            is_moved(s, f->producer, g->producer))
            return true;
    return false;
}

static bool repairs(struct trials *t, const struct remedy_query *q, const remedy_calls *calls)
{
    struct written *w = written_with(t, calls);
    struct moved_finding s = {t->program, w->program, calls, q->finding};
    return w->program &&
           remedy_gone(t->arena, &w->judge, w->program, t->base, q, remains, &s, &w->seen);
}

void remedies_say(struct arena *a, const struct compilation *c, const struct program *p,
                  const struct remedy_judge *j, const struct evidence *base,
                  const struct remedy_query *q, size_t n)
{
    struct trials t = {.arena = a, .from = c, .program = p, .judge = j, .base = base};
    remedy_calls all = {0};
    for (size_t i = 0; i < n; i++) {
        remedy_add_calls(a, c->kernel, c->options.toolchain, p, q[i].found);
        unite(a, &all, q[i].found);
    }
    for (size_t i = 0; i < n; i++) {
        struct remedy_found *r = q[i].found;
        remedy_calls own = {0};
        unite(a, &own, r);
        bool said = r->ncalls && !stop_wanted() && repairs(&t, &q[i], r->together ? &all : &own) &&
                    !stop_wanted();
        if (!said)
            r->ncalls = 0;
    }
}
