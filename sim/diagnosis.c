/* SPDX-License-Identifier: MIT */
#include "sim/diagnosis.h"

#include <string.h>

#include "base/strbuf.h"
#include "isa/build.h"
#include "sim/internal.h"

enum {
    FLAG = 1 << MARKER_FLAG,
    CLEAN = 1 << MARKER_CLEAN,
    DRAIN = 1 << MARKER_DRAIN,
    DSB = 1 << MARKER_DSB,
    INVALIDATE = 1 << MARKER_INVALIDATE
};

/* Sets of markers, simplest first. Those that do not fit the edge are left out. */
static const unsigned ladder[] = {
    FLAG,
    DRAIN,
    CLEAN,
    DSB,
    INVALIDATE,
    DRAIN | DSB,
    CLEAN | DSB,
    DSB | INVALIDATE,
    DRAIN | INVALIDATE,
    CLEAN | INVALIDATE,
    DRAIN | DSB | INVALIDATE,
    CLEAN | DSB | INVALIDATE,
};

static const struct insn *insn_of(const struct program *p, struct place at)
{
    return at.core < 0 || at.insn < 0 ? NULL : &p->cores[at.core].code->insns[at.insn];
}

static bool stores_in_cache(const struct insn *i)
{
    return i && insn_all(i, CLASS_STORE | CLASS_CACHED);
}

/* The access takes what the core's cache holds of the line. */
static bool fills_line(const struct insn *i)
{
    return i && (i->op == I_LD || i->op == I_ST);
}

static bool is_read(const struct insn *i)
{
    return i && (insn_any(i, CLASS_LOAD) || i->op == I_TILE_LD);
}

static enum pipe pipe_of(const struct program *p, struct place at)
{
    const struct insn *i = insn_of(p, at);
    return i ? (enum pipe)insn_pipe(p->cores[at.core].code, i) : PIPE_S;
}

/* A flag between the two pipes that the code does not use; -1: all are taken. */
static int free_flag(const struct code *c, enum pipe from, enum pipe to)
{
    for (int id = MAX_FLAG_IDS - 1; id >= 0; id--) {
        bool used = false;
        for (int i = 0; i < c->count && !used; i++)
            used = insn_any(&c->insns[i], CLASS_FLAG) && c->insns[i].pa == from &&
                   c->insns[i].pb == to && c->insns[i].imm == id;
        if (!used)
            return id;
    }
    return -1;
}

/* What can stand on the way from the edge's one access to the other. */
static unsigned applicable(const struct program *p, const struct edge *e)
{
    const struct insn *from = insn_of(p, e->from), *to = insn_of(p, e->to);
    enum pipe first = pipe_of(p, e->from), second = pipe_of(p, e->to);
    unsigned set = 0;
    if (!from)
        return 0;
    if (first != PIPE_S)
        set |= DRAIN;
    if (e->kind == EDGE_CORE && first != PIPE_S && second != first &&
        (second != PIPE_S || e->tile) && free_flag(p->cores[e->from.core].code, first, second) >= 0)
        set |= FLAG;
    if (e->tile)
        return set;
    if (stores_in_cache(from))
        set |= CLEAN;
    if (!is_read(from))
        set |= DSB;
    if (fills_line(to) && !is_read(from))
        set |= INVALIDATE;
    return set;
}

/* What is missing first, from where the fresh value was; 0: that does not tell. */
static unsigned missing_first(const struct program *p, const struct finding *f)
{
    static const unsigned by_where[W_COUNT] = {
        [W_QUEUED] = FLAG | DRAIN, [W_IN_FLIGHT] = DSB,     [W_DIRTY] = CLEAN,
        [W_OLD_LINE] = INVALIDATE, [W_TILE] = FLAG | DRAIN,
    };
    if (f->where == W_IN_FLIGHT && f->late)
        return stores_in_cache(insn_of(p, f->edge.from)) ? CLEAN : DRAIN;
    return by_where[f->where];
}

/* The instruction that ends the task of instruction `insn`: the next task or the end. */
static int task_end_of(const struct code *code, int insn)
{
    do
        insn++;
    while (!insn_any(&code->insns[insn], CLASS_TASK));
    return insn;
}

/* ---- places ---- */

/* Where a step of a kind may stand. NEAR: next to the access that it is about; FAR: at the other
 * end of its part of the way, where it serves many accesses. */
enum distance { FAR, NEAR, DISTANCES };

static struct remedy_step before(struct place at)
{
    return (struct remedy_step){.at = at};
}

static struct remedy_step behind(struct place at)
{
    return (struct remedy_step){.at = at, .behind = true};
}

/* The last place before the first access's effects must be on their way. */
static struct remedy_step release_side(const struct program *p, const struct edge *e,
                                       enum distance d)
{
    if (d == NEAR || e->kind == EDGE_END || e->kind == EDGE_NONE)
        return behind(e->from);
    if (e->kind == EDGE_SIGNAL)
        return before(e->release);
    if (e->kind == EDGE_CORE)
        return before(e->to);
    const struct code *code = p->cores[e->from.core].code;
    return before(PLACE(e->from.core, task_end_of(code, e->from.insn)));
}

static struct remedy_step clean_step(const struct program *p, const struct edge *e, enum distance d)
{
    bool whole = d == FAR && e->kind == EDGE_TASK;
    struct remedy_step s = whole ? release_side(p, e, FAR) : behind(e->from);
    s.all = whole;
    return s;
}

static struct remedy_step invalidate_step(const struct program *p, const struct edge *e,
                                          enum distance d)
{
    const struct insn *acquire = insn_of(p, e->acquire);
    if (d == NEAR || !acquire || !insn_acquires(acquire))
        return before(e->to);
    struct remedy_step s = behind(e->acquire);
    s.all = true;
    return s;
}

/* What is cleaned behind an access is also waited for there. */
static enum distance distance_of(const struct edge *e, unsigned set, enum distance d)
{
    return (set & CLEAN) && e->kind != EDGE_TASK ? NEAR : d;
}

static struct remedy make(const struct program *p, const struct edge *e, unsigned set,
                          enum distance d)
{
    struct remedy r = {.edge = *e};
    for (int k = 0; k < MARKER_COUNT; k++) {
        if (!(set >> k & 1))
            continue;
        struct remedy_step s = k == MARKER_FLAG    ? before(e->to)
                               : k == MARKER_CLEAN ? clean_step(p, e, d)
                               : k == MARKER_INVALIDATE
                                   ? invalidate_step(p, e, d)
                                   : release_side(p, e, distance_of(e, set, d));
        s.marker = (enum marker)k;
        r.steps[r.nsteps++] = s;
    }
    return r;
}

/* ---- the list ---- */

static bool same_place(struct place x, struct place y)
{
    return x.core == y.core && x.insn == y.insn;
}

static bool same_steps(const struct remedy *x, const struct remedy *y)
{
    if (x->nsteps != y->nsteps)
        return false;
    for (int i = 0; i < x->nsteps; i++) {
        const struct remedy_step *a = &x->steps[i], *b = &y->steps[i];
        if (a->marker != b->marker || !same_place(a->at, b->at) || a->behind != b->behind ||
            a->all != b->all)
            return false;
    }
    return true;
}

static void add(struct remedy *list, size_t *n, struct remedy r)
{
    for (size_t i = 0; i < *n; i++)
        if (same_steps(&list[i], &r))
            return;
    if (*n < REMEDY_CANDIDATES)
        list[(*n)++] = r;
}

/* ---- what stands there already ---- */

static bool drains(const struct contract *k, const struct insn *i, enum pipe pipe)
{
    if (i->op == I_WAIT_FLAG)
        return i->pa == pipe && i->pb == PIPE_S;
    return i->op == I_BARRIER &&
           (i->pa == PIPE_ALL || (k->pipe_barrier == BARRIER_SCALAR_BLOCKING && i->pa == pipe));
}

static bool cleans(const struct insn *i, const struct insn *store)
{
    return i->op == I_DCCI_ALL || (i->op == I_DCCI && i->region == store->region);
}

/* The instruction at the end of the first access's part of the way, in its code; -1: it is not
 * known, or lies before the access. */
static int way_end(const struct program *p, const struct edge *e)
{
    int end = e->kind == EDGE_SIGNAL ? e->release.insn
              : e->kind == EDGE_CORE ? e->to.insn
              : e->kind == EDGE_TASK ? task_end_of(p->cores[e->from.core].code, e->from.insn)
                                     : -1;
    return end > e->from.insn ? end : -1;
}

/* What makes a store leave its core: a drain of its pipe, a clean of its line, or nothing. */
static unsigned leaving(const struct program *p, const struct edge *e)
{
    return pipe_of(p, e->from) != PIPE_S ? DRAIN : stores_in_cache(insn_of(p, e->from)) ? CLEAN : 0;
}

/* What a store needs on its part of the way to have landed at its end, and does not find there,
 * reading the text from top to bottom. */
static unsigned gaps(const struct program *p, const struct contract *k, const struct edge *e)
{
    const struct insn *from = insn_of(p, e->from), *code = p->cores[e->from.core].code->insns;
    enum pipe pipe = pipe_of(p, e->from);
    unsigned leave = leaving(p, e);
    bool left = !leave, landed = false, fenced = false;
    if (is_read(from) || e->tile || e->kind == EDGE_END)
        return 0;
    for (int n = e->from.insn + 1; n < way_end(p, e); n++) {
        left |= leave == DRAIN ? drains(k, &code[n], pipe) : cleans(&code[n], from);
        fenced |= code[n].op == I_DSB;
        landed |= left && code[n].op == I_DSB;
    }
    return (left ? 0 : leave) | (landed || (!left && fenced) ? 0 : DSB);
}

/*
 * With these markers there no gap is left. What stands NEAR is in front of all that is there
 * already: a drain or a clean must be when the dsb behind it is, and a dsb must not be when they
 * are.
 */
static bool closes(unsigned set, enum distance d, unsigned gaps, unsigned leave)
{
    bool late = (gaps & leave) && !(gaps & DSB) && !(set & DSB) && d == FAR,
         early = (gaps & DSB) && leave && !(gaps & leave) && !(set & leave) && d == NEAR;
    return !(gaps & ~set) && !late && !early;
}

/* Which candidates to list: of sets with a marker of `wanted` (0: all), those that leave no gap,
 * those that do, or both. */
struct remedy_choice {
    unsigned wanted;
    bool closed, open;
};

static void add_sets(const struct program *p, const struct contract *k, const struct edge *e,
                     struct remedy_choice c, struct remedy *list, size_t *n)
{
    unsigned fits = applicable(p, e), gap = gaps(p, k, e), leave = leaving(p, e);
    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++)
        for (int d = FAR; d < DISTANCES; d++) {
            bool closed = closes(ladder[i], (enum distance)d, gap, leave);
            if (!(ladder[i] & ~fits) && (!c.wanted || ladder[i] & c.wanted) &&
                (closed ? c.closed : c.open))
                add(list, n, make(p, e, ladder[i], (enum distance)d));
        }
}

size_t diagnose(const struct program *p, const struct contract *k, const struct finding *f,
                bool proved, struct remedy *out)
{
    size_t n = 0;
    const struct edge *e = &f->edge;
    if (e->from.core < 0)
        return 0;
    unsigned first = missing_first(p, f);
    add_sets(p, k, e, (struct remedy_choice){first, true, proved}, out, &n);
    add_sets(p, k, e, (struct remedy_choice){0, true, proved}, out, &n);
    add_sets(p, k, e, (struct remedy_choice){first, false, true}, out, &n);
    add_sets(p, k, e, (struct remedy_choice){0, false, true}, out, &n);
    /* What a line carried along was spoiled by an owner that came later; cleaning at once what it
     * stores may also do. */
    if (f->where == W_OVERWRITTEN && e->to.core >= 0) {
        struct edge late = EDGE_UNKNOWN;
        late.from = e->to;
        add_sets(p, k, &late, (struct remedy_choice){0, true, true}, out, &n);
    }
    return n;
}

/* ---- instructions ---- */

static struct insn like(const struct insn *near)
{
    struct insn i = INSN_BLANK;
    i.origin = ORIGIN_HAND;
    i.span = near->span;
    i.what = "remedy";
    return i;
}

static size_t flag_pair(const struct program *p, const struct remedy *r, struct insertion at,
                        struct insertion *out)
{
    enum pipe from = pipe_of(p, r->edge.from), to = pipe_of(p, r->edge.to);
    int id = free_flag(at.code, from, to);
    for (int k = 0; k < 2; k++) {
        out[k] = at;
        out[k].insn = insn_flag(at.insn, k ? I_WAIT_FLAG : I_SET_FLAG, from, to, id);
    }
    return 2;
}

size_t remedy_insertions(const struct program *p, const struct remedy *r, struct insertion *out)
{
    size_t n = 0;
    for (int i = 0; i < r->nsteps; i++) {
        const struct remedy_step *s = &r->steps[i];
        const struct insn *near = insn_of(p, s->at);
        struct insertion in = {.code = p->cores[s->at.core].code,
                               .at = s->at.insn,
                               .behind = s->behind,
                               .insn = insn_make(like(near), I_DSB)};
        if (s->marker == MARKER_FLAG) {
            n += flag_pair(p, r, in, out + n);
            continue;
        }
        if (s->marker == MARKER_DRAIN) {
            in.insn = insn_barrier(in.insn, PIPE_ALL);
        } else if (s->marker != MARKER_DSB) {
            struct operand line = {near->ra, near->imm};
            in.insn = s->all ? insn_make(in.insn, I_DCCI_ALL)
                             : insn_access(in.insn, I_DCCI, line, ELEM_I8, -1);
        }
        out[n++] = in;
    }
    return n;
}

/* ---- in words ---- */

static const char *line_text(const struct program *p, const struct insn *i, struct arena *a)
{
    return source_line_words(a, p->source, i->span.line);
}

static const char *access_text(const struct program *p, const struct edge *e, struct place at,
                               struct arena *a)
{
    const struct insn *i = insn_of(p, at);
    const char *what = e->tile ? i->what : is_read(i) ? "the read" : "the write";
    return arena_printf(a, "%s (%s)", what, line_text(p, i, a));
}

/* "its task 'produce'": the one that the instruction belongs to. */
static const char *task_text(const struct program *p, struct place at, struct arena *a)
{
    const struct insn *insns = p->cores[at.core].code->insns;
    int i = at.insn;
    while (i > 0 && insns[i].op != I_TASK)
        i--;
    return insns[i].op == I_TASK ? arena_printf(a, "its task '%s'", p->tasks[insns[i].imm])
                                 : "its task";
}

static const char *release_text(const struct program *p, const struct edge *e, struct arena *a)
{
    const struct insn *from = insn_of(p, e->from);
    switch (e->kind) {
    case EDGE_SIGNAL:
        return arena_printf(a, "%s%s (%s)",
                            insn_of(p, e->release)->op == I_SET_CROSS ? "the set of the flag"
                                                                      : "the notify",
                            is_read(from) ? " that lets the buffer go" : "",
                            line_text(p, insn_of(p, e->release), a));
    case EDGE_CORE:
        return arena_printf(a, "%s of the same core", access_text(p, e, e->to, a));
    case EDGE_TASK:
        return arena_printf(a, "the end of %s", task_text(p, e->from, a));
    default:
        return NULL;
    }
}

static const char *acquire_text(const struct program *p, const struct edge *e, struct arena *a)
{
    const struct insn *i = insn_of(p, e->acquire);
    if (i && insn_acquires(i))
        return arena_printf(a, "the wait (%s)", line_text(p, i, a));
    return arena_printf(a, "the start of %s", task_text(p, e->to, a));
}

static const char *marker_text(const struct program *p, const struct remedy *r,
                               const struct remedy_step *s, struct arena *a)
{
    switch (s->marker) {
    case MARKER_FLAG:
        return arena_printf(a, "flag pair (%s to %s)", pipe_name(pipe_of(p, r->edge.from)),
                            pipe_name(pipe_of(p, r->edge.to)));
    case MARKER_CLEAN:
        return s->all ? "clean (cacheinvalid)" : "clean (cacheinvalid of the written line)";
    case MARKER_DRAIN:
        return "drain (barrier all)";
    case MARKER_DSB:
        return "fence (dsb)";
    default:
        return "invalidate (cacheinvalid)";
    }
}

/* The markers from one step to another: "drain (barrier all) and fence (dsb)". */
static void add_markers(struct strbuf *b, const struct program *p, const struct remedy *r, int from,
                        int to)
{
    for (int i = from; i < to; i++)
        strbuf_addf(b, "%s%s",
                    i == from     ? ""
                    : i == to - 1 ? " and "
                                  : ", ",
                    marker_text(p, r, &r->steps[i], b->arena));
}

const char *remedy_text(const struct program *p, const struct remedy *r, struct arena *a)
{
    struct strbuf b = strbuf_make(a);
    const struct edge *e = &r->edge;
    bool inval = r->steps[r->nsteps - 1].marker == MARKER_INVALIDATE;
    /* Steps of the first access's part of the way; on one core there is no other part. */
    int first = r->nsteps - (inval && e->kind != EDGE_CORE);
    const char *release = release_text(p, e, a);
    strbuf_add(&b, "missing ");
    add_markers(&b, p, r, 0, first);
    if (first && release)
        strbuf_addf(&b, " between %s and %s", access_text(p, e, e->from, a), release);
    else if (first)
        strbuf_addf(&b, " behind %s", access_text(p, e, e->from, a));
    if (first < r->nsteps) {
        strbuf_add(&b, first ? ", and " : "");
        add_markers(&b, p, r, first, r->nsteps);
        strbuf_addf(&b, " between %s and %s", acquire_text(p, e, a), access_text(p, e, e->to, a));
    }
    return b.text;
}

/* What ends a wait is no question of order, unless its notify was made and got lost. */
static const char *stuck_advice(const struct finding *f)
{
    switch (f->where) {
    case W_PASSED:
        return "no marker: a wait with == misses a value that goes on changing";
    case W_BEHIND:
        return "no marker: what it waits for must be set before it";
    case W_WAITING:
        return "none of its own: what would set it waits itself";
    case W_NEVER:
        return "none of its own: the program lacks what would set it, or another finding kept that "
               "from coming";
    case W_NONE:
        return "not known: what would end the wait could not be followed";
    case W_OVERWRITTEN:
        return NULL;
    default:
        return "none was found: no marker behind that write brings it to memory";
    }
}

/* NULL for a finding about what an access saw or did. */
static const char *own_fault_advice(const struct finding *f)
{
    switch (f->verdict) {
    case V_HANG:
    case V_DEADLOCK:
        return stuck_advice(f);
    case V_OUT_OF_BOUNDS:
        return "no marker: the program computes this index";
    case V_UNINITIALISED:
        return "no marker: nothing writes it before this read";
    case V_MISALIGNED:
        return "no marker: the program computes this address";
    case V_FLAG_OVERFLOW:
        return "no marker: who sets the flag must wait for its being taken, as the ring of tpush "
               "does "
               "for credits";
    case V_REDUNDANT_FLAG:
        return "no marker: one of the two is too many, or they need ids of their own";
    case V_UNPAIRED_FLAG:
        return "no marker: a wait_flag for it is missing, or the set is one too many";
    case V_UNPAIRED_CROSS:
        return "no marker: the lanes must set and wait equally often, whatever way they take";
    case V_MODE_LEFT:
        return "no marker: the mode must be set back before the task ends, on every way through it";
    case V_TIMEOUT:
        return "no marker: a loop has no end, or --max-transitions=N must allow longer runs";
    default:
        return NULL;
    }
}

static bool lanes_of_cluster(const struct program *p, const struct finding *f)
{
    const struct core_desc *x = &p->cores[f->reader.core], *y = &p->cores[f->producer.core];
    return x->lane != y->lane && x->lane != LANE_NONE && y->lane != LANE_NONE &&
           x->rank == y->rank && x->cluster == y->cluster;
}

const char *finding_advice(const struct program *p, const struct finding *f, struct arena *a)
{
    const struct insn *x = insn_of(p, f->producer), *y = insn_of(p, f->reader);
    bool writes = x && y && !is_read(x) && !is_read(y);
    bool set = x && x->op == I_ST && (x->flags & INSN_NOTIFY);
    const char *own = own_fault_advice(f);
    if (own)
        return own;
    if (f->verdict == V_RACE && lanes_of_cluster(p, f))
        return "the program's own order is missing: lanes run at once, whatever the order of their "
               "texts; set a flag between the cores behind the first (sync_set), wait for it in "
               "front of the second (sync_wait)";
    if (f->verdict == V_RACE || f->where == W_RACED)
        return arena_printf(a,
                            "the program's own order is missing: no marker helps, only "
                            "synchronisation of the two%s",
                            writes ? ", or two atomic adds" : "");
    if (f->where == W_OVERWRITTEN)
        return arena_printf(a, "line sharing: no marker helps, give the data lines of their own%s",
                            set ? ", or let every notify add" : "");
    if (f->verdict == V_WRONG_RESULT)
        return "no marker: the result depends on an order that the program leaves open";
    return "no marker of this machine keeps the order";
}
