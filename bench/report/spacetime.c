/* SPDX-License-Identifier: MIT */
#include "bench/report/spacetime.h"

#include <inttypes.h>
#include <string.h>

#include "bench/report/html.h"
#include "bench/report/trace.h"

enum {
    MOST_MARKS = 24,
    LEFT = 90, /* of the first mark, behind the names of the lanes */
    STEP = 44,
    TOP = 26,
    LANE = 54,
    RADIUS = 11,
    WORD_BYTES = 4
};

/* A step, or the part of it that is of one kind. */
struct mark {
    const struct run_node *node;
    const struct touch *touch;
    bool signal; /* it is about the signal, not about the finding's words */
    int lane;
};

struct picture {
    const struct run_graph *graph;
    const struct run_finding *finding;
    uint64_t signal; /* the word that the wait looked at */
    bool has_signal;
    int waited; /* the step in which it did */
    struct mark marks[MOST_MARKS];
    int n;
    bool cut;              /* there were more */
    int lanes[MOST_MARKS]; /* ranks, in order */
    int nlanes;
};

static bool overlaps(const struct touch *t, uint64_t from, uint64_t to)
{
    return t->addr < to && from < t->addr + t->len;
}

static uint64_t end_of(const struct finding *f)
{
    return f->end > f->addr ? f->end : f->addr + WORD_BYTES;
}

/* The word of the last wait at that place before the finding. */
static void find_signal(struct picture *p)
{
    struct place wait = p->finding->what.wait;
    vec_foreach (const struct run_node, n, &p->graph->nodes) {
        if (p->finding->step >= 0 && n->seen.number > p->finding->step)
            return;
        if (wait.core < 0 || n->seen.at.core != wait.core || n->seen.at.insn != wait.insn)
            continue;
        vec_foreach (const struct touch, t, &n->seen.touches)
            if (t->kind == TOUCH_READ) {
                p->signal = t->addr;
                p->has_signal = true;
                p->waited = n->seen.number;
            }
    }
}

/* What of a step belongs into the picture, or NULL. A read tells more than what is posted beside. */
static const struct touch *of_interest(const struct picture *p, const struct run_node *n,
                                       bool *signal)
{
    const struct finding *f = &p->finding->what;
    const struct touch *best = NULL;
    vec_foreach (const struct touch, t, &n->seen.touches) {
        bool own = overlaps(t, f->addr, end_of(f)),
             of_signal = p->has_signal && n->seen.number <= p->waited &&
                         overlaps(t, p->signal, p->signal + WORD_BYTES);
        if ((own || of_signal) && (!best || (*signal && own) || !best->value)) {
            best = t;
            *signal = !own;
        }
    }
    return best;
}

/* The rank that a step is drawn on: a delivery where it arrives. */
static int rank_of(const struct run_graph *g, const struct run_node *n, const struct touch *t)
{
    return t->kind == TOUCH_DELIVER ? gm_rank(t->addr)
                                    : g->machine->cores[n->seen.step.t.core].rank;
}

/* The last ones up to the finding, and the first two behind it: the value may arrive then. */
static void collect(struct picture *p)
{
    int late = 0;
    vec_foreach (const struct run_node, n, &p->graph->nodes) {
        bool signal = false;
        const struct touch *t = of_interest(p, n, &signal);
        bool behind = p->finding->step >= 0 && n->seen.number > p->finding->step;
        if (!t || (behind && (signal || t->kind == TOUCH_READ || late++ >= 2)))
            continue;
        if (p->n == MOST_MARKS) {
            memmove(p->marks, p->marks + 1, sizeof *p->marks * (MOST_MARKS - 1));
            p->n--;
            p->cut = true;
        }
        p->marks[p->n++] = (struct mark){n, t, signal, 0};
    }
}

static void find_lanes(struct picture *p)
{
    for (int r = 0; r < p->graph->machine->program->nranks; r++) {
        bool used = false;
        for (int i = 0; i < p->n; i++)
            if (rank_of(p->graph, p->marks[i].node, p->marks[i].touch) == r) {
                p->marks[i].lane = p->nlanes;
                used = true;
            }
        if (used)
            p->lanes[p->nlanes++] = r;
    }
}

static int x_of(int mark)
{
    return LEFT + mark * STEP;
}

static int y_of(const struct picture *p, int mark)
{
    return TOP + p->marks[mark].lane * LANE;
}

/* Bytes of t come straight from mark `from`: a delivery from its own core, carried neighbours from
 * memory. */
static bool leads_to(const struct mark *from, const struct mark *to)
{
    const struct touch *x = from->touch, *t = to->touch;
    bool same_core = from->node->seen.step.t.core == to->node->seen.step.t.core;
    if (x->kind == TOUCH_READ || from->signal != to->signal)
        return false;
    if (t->kind == TOUCH_READ)
        return true;
    if (t->kind == TOUCH_POST && t->carried)
        return x->kind == TOUCH_DELIVER;
    return same_core && x->kind < t->kind;
}

/* The bytes of t are those of x. Nobody made the initial value: a line carries it along. */
static bool same_bytes(const struct oracle *o, const struct touch *x, const struct touch *t)
{
    uint32_t want, have;
    if (oracle_makers(o, t->node, &want, 1))
        return oracle_makers(o, x->node, &have, 1) && have == want;
    return x->node == t->node &&
           (t->kind == TOUCH_READ ? x->kind == TOUCH_DELIVER
                                  : x->kind == TOUCH_POST && x->addr == t->addr);
}

/* The mark before `to` that has its bytes: the store, or what posted them. -1: none is shown. */
static int source_of(const struct picture *p, int to)
{
    const struct touch *t = p->marks[to].touch;
    if (t->kind == TOUCH_WRITE)
        return -1;
    for (int i = to - 1; i >= 0; i--)
        if (leads_to(&p->marks[i], &p->marks[to]) &&
            same_bytes(p->graph->machine->oracle, p->marks[i].touch, t))
            return i;
    return -1;
}

static void draw_ways(FILE *out, const struct picture *p)
{
    for (int i = 0; i < p->n; i++) {
        int from = source_of(p, i);
        if (from < 0)
            continue;
        int x1 = x_of(from), y1 = y_of(p, from), x2 = x_of(i), y2 = y_of(p, i);
        int bend = y1 == y2 && i - from > 1 ? 24 : 0;
        fprintf(out, "<path class=\"way%s\" d=\"M%d %d Q%d %d %d %d\"/>\n",
                p->marks[i].signal ? " signal" : "", x1, y1, (x1 + x2) / 2, (y1 + y2) / 2 - bend,
                x2, y2);
    }
}

static const char *class_of(const struct picture *p, const struct mark *m)
{
    static const char *const names[TOUCH_COUNT] = {"read", "store", "post", "land"};
    if (m->node->seen.number == p->finding->step)
        return "fault";
    vec_foreach (const struct touch, t, &m->node->seen.touches)
        if (t->kind == TOUCH_WRITE) /* a transfer that stores posts at once */
            return names[TOUCH_WRITE];
    return names[m->touch->kind];
}

static void draw_marks(FILE *out, const struct picture *p)
{
    for (int i = 0; i < p->n; i++) {
        int x = x_of(i), y = y_of(p, i);
        const char *class = class_of(p, &p->marks[i]);
        if (p->marks[i].touch->kind == TOUCH_DELIVER)
            fprintf(out, "<path class=\"%s\" d=\"M%d %d l13 13 l-13 13 l-13 -13 z\"/>\n", class, x,
                    y - 13);
        else if (p->marks[i].touch->kind == TOUCH_READ)
            fprintf(out, "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", class, x, y,
                    RADIUS);
        else
            fprintf(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"22\" height=\"22\"/>\n",
                    class, x - RADIUS, y - RADIUS);
        if (!strcmp(class, "fault"))
            fprintf(out, "<circle class=\"ring\" cx=\"%d\" cy=\"%d\" r=\"16\"/>\n", x, y);
        fprintf(out, "<text class=\"number\" x=\"%d\" y=\"%d\">%d</text>\n", x, y + 4, i + 1);
    }
}

static void draw(FILE *out, const struct picture *p)
{
    int width = x_of(p->n) + 10, height = TOP + (p->nlanes - 1) * LANE + 26;
    fprintf(out,
            "<div class=\"wide\"><svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "role=\"img\" aria-label=\"space-time diagram\">\n",
            width, height, width, height);
    for (int i = 0; i < p->nlanes; i++)
        fprintf(out,
                "<text x=\"4\" y=\"%d\">rank %d</text><line class=\"lane\" x1=\"62\" y1=\"%d\" "
                "x2=\"%d\" y2=\"%d\"/>\n",
                TOP + i * LANE + 4, p->lanes[i], TOP + i * LANE, width, TOP + i * LANE);
    draw_ways(out, p);
    draw_marks(out, p);
    fputs("</svg></div>\n"
          "<p class=\"keys dim\"><span><i class=\"k store\"></i>store</span><span><i class=\"k "
          "post\"></i>on its way</span><span><i class=\"k land\"></i>delivered</span><span><i "
          "class=\"k read\"></i>read</span><span><i class=\"k fault\"></i>the fault</span>"
          "<span>dashed: the signal</span></p>\n",
          out);
}

static void list(FILE *out, const struct picture *p)
{
    struct arena a = {0};
    fputs("<ol>\n", out);
    for (int i = 0; i < p->n; i++) {
        const struct seen_step *s = &p->marks[i].node->seen;
        const struct touch *t = p->marks[i].touch;
        const struct insn *insn =
            s->at.insn < 0 ? NULL : &p->graph->machine->cores[s->at.core].code->insns[s->at.insn];
        const struct program *program = p->graph->machine->program;
        bool fault = s->number == p->finding->step;
        fprintf(out, "<li%s>", fault ? " class=\"bad\"" : "");
        html_textf(out, "%s, %s: %s", program_core_phrase(program, s->at.core, &a),
                   trace_unit_name(trace_unit(s->step.t)), touch_text(&a, t));
        if (t->kind == TOUCH_READ)
            html_textf(out, " from %s", touch_source(&a, p->graph->machine, t->node));
        if (insn && insn->span.line)
            html_textf(out, " (%s, cycle %" PRIu64 ")",
                       source_line_words(&a, program->source, insn->span.line), s->step.end);
        if (fault)
            html_textf(out, ": %s", p->finding->text);
        fputs("</li>\n", out);
    }
    fputs("</ol>\n", out);
    if (p->cut)
        fputs("<p class=\"dim\">Earlier steps with these words are left out.</p>\n", out);
    arena_free(&a);
}

bool spacetime_print(FILE *out, const struct run_graph *g, const struct run_finding *f)
{
    struct picture p = {.graph = g, .finding = f};
    if (!g->machine || !g->machine->oracle || f->what.tile >= 0 || verdict_of_flag(f->what.verdict))
        return false;
    find_signal(&p);
    collect(&p);
    if (!p.n)
        return false;
    find_lanes(&p);
    draw(out, &p);
    list(out, &p);
    return true;
}
