/* SPDX-License-Identifier: MIT */
#include "bench/report/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "bench/report/report.h"
#include "bench/report/trace.h"

enum { WORD_BYTES = 4, MAKERS = 8 };

/* ---- collecting ---- */

static void note_writer(struct run_graph *g, uint32_t write, int step)
{
    while (g->writer.len <= write)
        vec_push(&g->arena, &g->writer, -1);
    g->writer.items[write] = step;
}

static int writer_of(const struct run_graph *g, uint32_t write)
{
    return write < g->writer.len ? g->writer.items[write] : -1;
}

static void keep_findings(struct run_graph *g, const struct machine *m, const struct seen_step *s)
{
    for (int i = 0; i < s->nfindings && !g->silent; i++) {
        struct run_finding f = {
            .what = s->findings[i], .step = s->number, .reader = -1, .producer = -1};
        f.text = report_what(&g->arena, m->program, &f.what);
        f.what.note = NULL;
        vec_push(&g->arena, &g->findings, f);
    }
}

void graph_step(void *ctx, const struct machine *m, const struct seen_step *s)
{
    struct run_graph *g = ctx;
    g->machine = m;
    keep_findings(g, m, s);
    if (s->number < 0)
        return;
    struct run_node n = {.seen = *s, .fault = s->nfindings > 0 && !g->silent};
    n.seen.text = arena_strdup(&g->arena, s->text);
    n.accesses = trace_accesses(&g->arena, m, s);
    n.seen.findings = NULL;
    memset(&n.seen.touches, 0, sizeof n.seen.touches);
    vec_foreach (const struct touch, t, &s->touches) {
        struct touch copy = *t;
        copy.words = arena_strdup(&g->arena, t->words);
        copy.value = t->value ? arena_strdup(&g->arena, t->value) : NULL;
        vec_push(&g->arena, &n.seen.touches, copy);
        uint32_t write;
        if (t->kind == TOUCH_WRITE && m->oracle && oracle_makers(m->oracle, t->node, &write, 1))
            note_writer(g, write, s->number);
    }
    vec_push(&g->arena, &g->nodes, n);
}

/* ---- edges ---- */

static void add_edge(struct run_graph *g, enum relation kind, int from, int to)
{
    if (from < 0 || to < 0 || from == to)
        return;
    vec_foreach (const struct run_edge, e, &g->edges)
        if (e->kind == kind && e->from == from && e->to == to)
            return;
    vec_push(&g->arena, &g->edges, (struct run_edge){kind, from, to, false});
}

static bool comes_before(const struct seen_step *x, const struct seen_step *y)
{
    return x->epoch != y->epoch ? x->epoch < y->epoch : x->number < y->number;
}

/* The next step of its core in source order, or -1. */
static int next_in_order(const struct run_graph *g, const struct seen_step *of)
{
    const struct seen_step *best = NULL;
    vec_foreach (const struct run_node, n, &g->nodes) {
        const struct seen_step *s = &n->seen;
        if (s->ordered && s->step.t.core == of->step.t.core && comes_before(of, s) &&
            (!best || comes_before(s, best)))
            best = s;
    }
    return best ? best->number : -1;
}

/* What a pipe does that is no transfer comes behind what it did before. */
static void pipe_edge(struct run_graph *g, const struct seen_step *s)
{
    for (int i = s->number - 1; i >= 0; i--) {
        const struct transition *t = &g->nodes.items[i].seen.step.t;
        if (t->kind == T_PIPE && t->core == s->step.t.core && t->pipe == s->step.t.pipe) {
            add_edge(g, REL_PO, i, s->number);
            return;
        }
    }
}

static void order_edges(struct run_graph *g)
{
    vec_foreach (const struct run_node, n, &g->nodes) {
        if (n->seen.ordered)
            add_edge(g, REL_PO, n->seen.number, next_in_order(g, &n->seen));
        else if (n->seen.step.t.kind == T_PIPE)
            pipe_edge(g, &n->seen);
    }
}

static bool lands(const struct run_graph *g, const struct touch *t)
{
    return t->kind == (g->machine->contract->coherent ? TOUCH_WRITE : TOUCH_DELIVER);
}

static bool covers(const struct touch *t, uint64_t word)
{
    return t->addr < word + WORD_BYTES && word < t->addr + t->len;
}

/* The first step in which that store came to the word; -2: it never comes. */
static int landed(const struct run_graph *g, uint64_t word, uint32_t write)
{
    for (size_t i = 0; i < g->nodes.len; i++)
        vec_foreach (const struct touch, t, &g->nodes.items[i].seen.touches) {
            uint32_t made;
            if (lands(g, t) && !t->carried && covers(t, word) &&
                oracle_makers(g->machine->oracle, t->node, &made, 1) && made == write)
                return (int)i;
        }
    return -2;
}

/* A store to the word that has not come to memory when the run ends, other than that one; or -1. */
static int still_coming(const struct run_graph *g, uint64_t word, uint32_t node)
{
    vec_foreach (const struct run_node, n, &g->nodes)
        vec_foreach (const struct touch, t, &n->seen.touches)
            if (t->kind == TOUCH_WRITE && covers(t, word) && t->node != node &&
                landed(g, word, t->node) == -2)
                return n->seen.number;
    return -1;
}

/* The step whose store came to the word next behind step `after`, as another value than that of node. */
static int next_store(const struct run_graph *g, uint64_t word, int after, uint32_t node)
{
    for (size_t i = (size_t)(after + 1); i < g->nodes.len; i++)
        vec_foreach (const struct touch, t, &g->nodes.items[i].seen.touches)
            if (lands(g, t) && !t->carried && covers(t, word) && t->node != node) {
                uint32_t write;
                return oracle_makers(g->machine->oracle, t->node, &write, 1) ? writer_of(g, write)
                                                                             : -1;
            }
    return still_coming(g, word, node);
}

static void read_edges(struct run_graph *g, int step, const struct touch *t)
{
    uint32_t makers[MAKERS];
    size_t n = oracle_makers(g->machine->oracle, t->node, makers, MAKERS);
    for (size_t i = 0; i < n && i < MAKERS; i++)
        add_edge(g, REL_RF, writer_of(g, makers[i]), step);
    for (uint64_t word = t->addr; word < t->addr + t->len; word += WORD_BYTES) {
        int at = -1;
        for (size_t i = 0; i < n && i < MAKERS; i++) {
            int of = landed(g, word, makers[i]);
            at = of == -2 ? -2 : at == -2 || of < at ? at : of;
        }
        if (at != -2)
            add_edge(g, REL_FR, step, next_store(g, word, at, n ? makers[0] : NODE_INIT));
    }
}

/* A store that comes to memory: where from, and what comes next to its words. */
static void landing_edges(struct run_graph *g, int step, const struct touch *t)
{
    uint32_t write;
    if (!oracle_makers(g->machine->oracle, t->node, &write, 1))
        return;
    int from = writer_of(g, write);
    for (uint64_t word = t->addr; word < t->addr + t->len; word += WORD_BYTES)
        add_edge(g, REL_CO, from, next_store(g, word, step, t->node));
}

/* From the step before this one that had these bytes: the store, or what posted them. */
static void way_edge(struct run_graph *g, int step, const struct touch *t)
{
    for (int i = step - 1; i >= 0; i--)
        vec_foreach (const struct touch, x, &g->nodes.items[i].seen.touches)
            if (x->node == t->node && x->node != NODE_INIT && x->addr < t->addr + t->len &&
                t->addr < x->addr + x->len &&
                (x->kind == TOUCH_WRITE || (x->kind == TOUCH_POST && t->kind == TOUCH_DELIVER))) {
                add_edge(g, REL_WAY, i, step);
                return;
            }
}

static void touch_edges(struct run_graph *g, int step, const struct touch *t)
{
    if (t->kind == TOUCH_READ)
        read_edges(g, step, t);
    if (lands(g, t) && !t->carried)
        landing_edges(g, step, t);
    if ((t->kind == TOUCH_POST || t->kind == TOUCH_DELIVER) && !t->carried)
        way_edge(g, step, t);
}

/* ---- the cycle ---- */

/* The first step at a place, of a finding that came up in step last, or -1. */
static int step_at(const struct run_graph *g, struct place at, int last, bool read)
{
    for (int i = last < 0 ? (int)g->nodes.len - 1 : last; i >= 0 && at.core >= 0; i--) {
        const struct seen_step *s = &g->nodes.items[i].seen;
        bool touches = false;
        vec_foreach (const struct touch, t, &s->touches)
            touches |= t->kind == (read ? TOUCH_READ : TOUCH_WRITE);
        if (s->at.core == at.core && s->at.insn == at.insn && touches)
            return i;
    }
    return -1;
}

/* Edges of a shortest way from `from` to `to` of the kinds whose bits are set; their number, or -1.
 * via[i]: the edge that node i was reached by. */
static int shortest_way(const struct run_graph *g, unsigned kinds, int from, int to, int *via)
{
    size_t n = g->nodes.len;
    int *queue = malloc(sizeof *queue * (n + 1)), *depth = malloc(sizeof *depth * (n + 1));
    if (!queue || !depth)
        abort();
    for (size_t i = 0; i < n; i++)
        depth[i] = -1;
    size_t head = 0, tail = 0;
    queue[tail++] = from;
    depth[from] = 0;
    for (; head < tail && depth[to] < 0; head++)
        for (size_t e = 0; e < g->edges.len; e++) {
            const struct run_edge *x = &g->edges.items[e];
            if (!(kinds >> x->kind & 1) || x->from != queue[head] || depth[x->to] >= 0)
                continue;
            depth[x->to] = depth[queue[head]] + 1;
            via[x->to] = (int)e;
            queue[tail++] = x->to;
        }
    int length = depth[to];
    free(queue);
    free(depth);
    return length;
}

static void mark_cycle(struct run_graph *g, struct run_edge *closing, const int *via)
{
    closing->cycle = g->nodes.items[closing->from].cycle = true;
    for (int at = closing->from; at != closing->to; at = g->edges.items[via[at]].from) {
        g->edges.items[via[at]].cycle = true;
        g->nodes.items[g->edges.items[via[at]].from].cycle = true;
    }
}

/* A from-read edge and the shortest way back over such edges. reader: the step that it begins at; -1:
 * any. False: there is none. */
static bool find_cycle(struct run_graph *g, unsigned kinds, int reader)
{
    size_t best = g->edges.len;
    int shortest = 0, *via = arena_array(&g->arena, int, g->nodes.len + 1);
    for (size_t e = 0; e < g->edges.len; e++) {
        const struct run_edge *x = &g->edges.items[e];
        if (x->kind != REL_FR || (reader >= 0 && x->from != reader))
            continue;
        int length = shortest_way(g, kinds, x->to, x->from, via);
        if (length > 0 && (best == g->edges.len || length < shortest)) {
            best = e;
            shortest = length;
        }
    }
    if (best == g->edges.len)
        return false;
    shortest_way(g, kinds, g->edges.items[best].to, g->edges.items[best].from, via);
    mark_cycle(g, &g->edges.items[best], via);
    return true;
}

void graph_finish(struct run_graph *g)
{
    order_edges(g);
    for (size_t i = 0; i < g->nodes.len && g->machine->oracle; i++)
        vec_foreach (const struct touch, t, &g->nodes.items[i].seen.touches)
            touch_edges(g, (int)i, t);
    vec_foreach (struct run_finding, f, &g->findings) {
        f->reader = step_at(g, f->what.reader, f->step, true);
        f->producer = step_at(g, f->what.producer, -1, false);
    }
    /* What puts the store before the read is a signal, if it can be. */
    enum { ORDER = 1 << REL_PO | 1 << REL_RF };
    int reader = g->findings.len ? g->findings.items[0].reader : -1;
    if (!find_cycle(g, ORDER, reader))
        find_cycle(g, ORDER | 1 << REL_CO | 1 << REL_FR, reader);
}

void graph_free(struct run_graph *g)
{
    arena_free(&g->arena);
}

/* ---- DOT ---- */

/* A DOT string, with the quotes; a line feed is one of the label. */
static const char *quoted(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, "\"");
    for (; *text; text++) {
        if (*text == '\n') {
            strbuf_add(&b, "\\n");
            continue;
        }
        strbuf_add(&b, *text == '"' || *text == '\\' ? "\\" : "");
        strbuf_addn(&b, text, 1);
    }
    strbuf_add(&b, "\"");
    return b.text;
}

static void dot_node(FILE *out, struct run_graph *g, const struct run_node *n)
{
    struct arena a = {0};
    const struct seen_step *s = &n->seen;
    const char *fault = "";
    vec_foreach (const struct run_finding, f, &g->findings)
        if (f->step == s->number)
            fault = arena_printf(&a, "%s\n%s", fault, f->text);
    const char *label = arena_printf(&a, "%d: rank %s %s %s%s%s%s", s->number,
                                     trace_core(&a, g->machine, s->step.t.core),
                                     trace_unit_name(trace_unit(s->step.t)), s->text,
                                     *n->accesses ? "\n" : "", n->accesses, fault);
    fprintf(out, "    n%d [label=%s%s];\n", s->number, quoted(&a, label),
            n->fault   ? ", style=filled, fillcolor=\"#f4b6b6\", color=\"#b00020\""
            : n->cycle ? ", color=\"#b00020\""
                       : "");
    arena_free(&a);
}

static const char *const edge_styles[REL_COUNT] = {
    [REL_PO] = "color=\"#777777\"",
    [REL_RF] = "color=\"#1b7f3b\", label=\"rf\"",
    [REL_CO] = "color=\"#9c5a00\", label=\"co\"",
    [REL_FR] = "color=\"#6a3fb5\", label=\"fr\"",
    [REL_WAY] = "color=\"#777777\", style=dotted",
};

void graph_dot(FILE *out, struct run_graph *g)
{
    fprintf(out, "digraph witness {\n  node [shape=box, fontname=\"sans-serif\"];\n"
                 "  edge [fontname=\"sans-serif\"];\n");
    int nranks = g->machine ? g->machine->program->nranks : 0;
    for (int r = 0; r < nranks; r++) {
        fprintf(out, "  subgraph cluster_%d {\n    label=\"rank %d\";\n", r, r);
        vec_foreach (const struct run_node, n, &g->nodes)
            if (g->machine->cores[n->seen.step.t.core].rank == r)
                dot_node(out, g, n);
        fprintf(out, "  }\n");
    }
    vec_foreach (const struct run_edge, e, &g->edges)
        fprintf(out, "  n%d -> n%d [%s%s];\n", e->from, e->to, edge_styles[e->kind],
                e->cycle ? ", color=\"#b00020\", penwidth=2.5" : "");
    fprintf(out, "}\n");
}
