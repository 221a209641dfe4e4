/* SPDX-License-Identifier: MIT */
#include "bench/campaign/mutants.h"

#include <string.h>

#include "isa/arithmetic.h"

static const char *const names[] = {MUTATIONS(NAME_ROW)};
ROW_EACH(names, MUTATION_COUNT);

const char *mutation_name(enum mutation k)
{
    return names[k];
}

/* ---- removals ---- */

static bool goes_too(const struct program *p, int site, int first, enum mutation kind)
{
    switch (kind) {
    case MUTATE_MARKER:
        return p->sites[site].marker == first;
    case MUTATE_RULE:
        return p->sites[site].origin == p->sites[first].origin;
    default:
        return site == first;
    }
}

static const char *removal_name(struct arena *a, const struct site *s, enum mutation kind)
{
    const char *colon = strchr(s->what, ':');
    if (kind == MUTATE_MARKER && colon)
        return arena_printf(a, "%.*s (all of it)", (int)(colon - s->what), s->what);
    return kind == MUTATE_RULE ? arena_printf(a, "every marker of %s", origin_name(s->origin))
                               : s->what;
}

static struct mutant removal(struct arena *a, const struct program *p, int first,
                             enum mutation kind)
{
    struct mutant m = {.kind = kind,
                       .first = first,
                       .other = -1,
                       .what = removal_name(a, &p->sites[first], kind),
                       .removed = arena_array(a, bool, (size_t)p->nsites)};
    for (int i = 0; i < p->nsites; i++)
        m.removed[i] = goes_too(p, i, first, kind);
    return m;
}

struct mutant mutant_pair(struct arena *a, const struct program *p, int x, int y)
{
    struct mutant m = removal(a, p, x, MUTATE_INSTRUCTION);
    m.kind = MUTATE_PAIR;
    m.other = y;
    m.what = arena_printf(a, "%s, and site %d with it", p->sites[x].what, y);
    m.removed[y] = true;
    return m;
}

static bool has_several(const struct program *p, int marker)
{
    int n = 0;
    for (int i = 0; i < p->nsites; i++)
        n += p->sites[i].marker == marker;
    return n > 1;
}

/* ---- a site in one text ---- */

struct spot {
    const struct program *p;
    const struct code *code;
    int site, first, last; /* its first and last instruction there */
};

static const struct insn *insn_at(const struct spot *s, int i)
{
    return &s->code->insns[i];
}

static bool is_order(const struct insn *i)
{
    return i->op == I_BARRIER || i->op == I_DSB;
}

static bool is_clean(const struct insn *i)
{
    return i->op == I_DCCI || i->op == I_DCCI_ALL;
}

/* The site's first instruction of that op, or -1. */
static int find_op(const struct spot *s, enum insn_op op)
{
    for (int i = s->first; i <= s->last; i++)
        if (insn_at(s, i)->site == s->site && insn_at(s, i)->op == op)
            return i;
    return -1;
}

/* The last instruction before i that writes register r, or -1. */
static int last_write(const struct spot *s, int r, int i)
{
    while (--i >= 0)
        if (insn_kinds[insn_at(s, i)->op].writes & REG_RD && insn_at(s, i)->rd == r)
            return i;
    return -1;
}

/* Register r holds at `from` what it holds at `to`, on the straight way there. */
static bool same_value(const struct spot *s, int32_t r, int from, int to)
{
    return r == NO_REG || last_write(s, r, to) < from;
}

/* What a clean or invalidate stands behind: a wait, or an access that stores or transfers. -1: nothing. */
static int access_before(const struct spot *s)
{
    for (int i = s->first - 1; i >= 0; i--) {
        const struct insn *x = insn_at(s, i);
        if (insn_acquires(x) || insn_any(x, CLASS_STORE | CLASS_DMA))
            return i;
        if (x->op == I_TASK || x->op == I_END)
            return -1;
    }
    return -1;
}

/* ---- mutations other than removals ---- */

typedef VEC(struct insertion) insertions;

static void put(struct arena *a, insertions *out, const struct spot *s, int at, bool behind,
                struct insn insn)
{
    vec_push(a, out, (struct insertion){.code = s->code, .at = at, .behind = behind, .insn = insn});
}

/* Every line of the cache: the one of the access in front. */
static bool narrow_all(struct arena *a, const struct spot *s, int param, insertions *out)
{
    (void)param;
    int at = find_op(s, I_DCCI_ALL), access = access_before(s);
    if (at < 0 || access < 0)
        return false;
    const struct insn *x = insn_at(s, access);
    struct insn line = *insn_at(s, at);
    line.op = I_DCCI;
    line.region = -1;
    line.ra = insn_any(x, CLASS_DMA) ? s->code->dmas[x->aux].address.reg : x->ra;
    line.imm = insn_any(x, CLASS_DMA) ? s->code->dmas[x->aux].address.imm : x->imm;
    if (x->op == I_WAIT_CROSS || !same_value(s, line.ra, access, at))
        return false;
    put(a, out, s, at, false, line);
    return true;
}

/* A loop over the lines of a region: its first round alone. */
static bool narrow_region(struct arena *a, const struct spot *s, int param, insertions *out)
{
    (void)param;
    int at = find_op(s, I_DCCI);
    if (at < 0 || find_op(s, I_BNZ) < 0)
        return false;
    for (int i = s->first; i <= at; i++)
        put(a, out, s, s->first, false, *insn_at(s, i));
    return true;
}

static bool uses_pipe(const struct code *c, enum pipe pipe)
{
    for (int i = 0; i < c->count; i++)
        if (insn_any(&c->insns[i], CLASS_DMA | CLASS_TILE) &&
            insn_pipe(c, &c->insns[i]) == (int)pipe)
            return true;
    return false;
}

/* The barriers of a site: one of their pipes alone, which the text uses. */
static bool weaken_barrier(struct arena *a, const struct spot *s, int pipe, insertions *out)
{
    int at = find_op(s, I_BARRIER);
    bool held = false, others = false;
    for (int i = s->first; at >= 0 && i <= s->last; i++) {
        const struct insn *x = insn_at(s, i);
        if (x->site != s->site || x->op != I_BARRIER)
            continue;
        held |= x->pa == pipe || x->pa == PIPE_ALL;
        others |= x->pa != pipe;
    }
    if (!held || !others || !uses_pipe(s->code, (enum pipe)pipe))
        return false;
    struct insn one = *insn_at(s, at);
    one.pa = (uint8_t)pipe;
    put(a, out, s, at, false, one);
    return true;
}

/* What stands behind a wait: in front of it. */
static bool before_wait(struct arena *a, const struct spot *s, int param, insertions *out)
{
    (void)param;
    int wait = access_before(s);
    const struct insn *x = insn_at(s, s->first);
    if (wait < 0 || s->first != s->last || !is_clean(x) || !insn_acquires(insn_at(s, wait)) ||
        (x->op == I_DCCI && !same_value(s, x->ra, wait, s->first)))
        return false;
    put(a, out, s, wait, false, *x);
    return true;
}

/* The last instruction of the notify whose store is at `at`. */
static int notify_end(const struct spot *s, int at)
{
    while (at + 1 < s->code->count && insn_at(s, at + 1)->origin == ORIGIN_MACRO)
        at++;
    return at;
}

/* A fence: behind the next notify of the text. */
static bool behind_notify(struct arena *a, const struct spot *s, int param, insertions *out)
{
    (void)param;
    const struct site *site = &s->p->sites[s->site];
    if (site->marker != s->site || strncmp(site->what, "fence", strlen("fence")))
        return false;
    int at = s->last;
    while (++at < s->code->count && !(insn_at(s, at)->flags & INSN_NOTIFY))
        continue;
    if (at == s->code->count)
        return false;
    for (int i = s->first; i < at; i++)
        if (insn_at(s, i)->site >= 0 && s->p->sites[insn_at(s, i)->site].marker == s->site)
            put(a, out, s, notify_end(s, at), true, *insn_at(s, i));
    return true;
}

/* A dcci in front of a fence: behind it. */
static bool behind_fence(struct arena *a, const struct spot *s, int param, insertions *out)
{
    (void)param;
    int end = s->last;
    while (end + 1 < s->code->count && is_order(insn_at(s, end + 1)))
        end++;
    if (end == s->last || s->first != s->last || !is_clean(insn_at(s, s->first)))
        return false;
    put(a, out, s, end, true, *insn_at(s, s->first));
    return true;
}

/* Register r holds, in front of i, the difference of two windows: in elements and back in bytes too. */
static bool is_difference(const struct spot *s, int32_t r, int i)
{
    while (r != NO_REG && (i = last_write(s, r, i)) >= 0) {
        const struct insn *x = insn_at(s, i);
        if (x->op == I_ALU && x->sub == ALU_SUB)
            return true;
        bool scales = x->op == I_ALU && x->rb == NO_REG &&
                      (x->sub == ALU_MUL || x->sub == ALU_TRUNCDIV || x->sub == ALU_FLOORDIV);
        if (x->op != I_MOV && !scales)
            return false;
        r = x->ra;
    }
    return false;
}

/* The instruction that adds such a difference to what the address in r comes from, or -1. */
static int peer_of(const struct spot *s, int32_t r, int i)
{
    while ((i = last_write(s, r, i)) >= 0) {
        const struct insn *add = insn_at(s, i);
        if (add->op != I_ALU || add->sub != ALU_ADD)
            return -1;
        if (is_difference(s, add->rb, i))
            return i;
        r = add->ra;
    }
    return -1;
}

/* An address in a peer's window is one of the own plus the difference of two windows: the own. What
 * else was added to it stays: it is moved by the difference, and back. */
static bool own_line(struct arena *a, const struct spot *s, int param, insertions *out)
{
    (void)param;
    int at = find_op(s, I_DCCI);
    int sum = at < 0 || s->first != s->last ? -1 : peer_of(s, insn_at(s, at)->ra, at);
    if (sum < 0)
        return false;
    const struct insn *add = insn_at(s, sum);
    struct insn line = *insn_at(s, at), move = line;
    bool last = last_write(s, line.ra, at) == sum;
    if (!same_value(s, last ? add->ra : add->rb, sum, at))
        return false;
    if (last)
        line.ra = add->ra;
    move.op = I_ALU;
    move.sub = ALU_SUB;
    move.rd = move.ra;
    move.rb = add->rb;
    move.imm = 0;
    if (!last)
        put(a, out, s, at, false, move);
    put(a, out, s, at, false, line);
    move.sub = ALU_ADD;
    if (!last)
        put(a, out, s, at, false, move);
    return true;
}

static const struct shape {
    enum mutation kind;
    const char *what, *how;
    bool (*apply)(struct arena *a, const struct spot *s, int param, insertions *out);
    int param;
} shapes[] = {
    {MUTATE_NARROW, "the line in front alone", "line", narrow_all, 0},
    {MUTATE_NARROW, "the first line alone", "first-line", narrow_region, 0},
    {MUTATE_WEAKEN, "v alone", "v", weaken_barrier, PIPE_V},
    {MUTATE_WEAKEN, "mte1 alone", "mte1", weaken_barrier, PIPE_MTE1},
    {MUTATE_WEAKEN, "mte2 alone", "mte2", weaken_barrier, PIPE_MTE2},
    {MUTATE_WEAKEN, "mte3 alone", "mte3", weaken_barrier, PIPE_MTE3},
    {MUTATE_WEAKEN, "m alone", "m", weaken_barrier, PIPE_M},
    {MUTATE_WEAKEN, "fix alone", "fix", weaken_barrier, PIPE_FIX},
    {MUTATE_MISPLACE, "before the wait", "before-wait", before_wait, 0},
    {MUTATE_MISPLACE, "behind the notify", "behind-notify", behind_notify, 0},
    {MUTATE_MISPLACE, "behind the fence", "behind-fence", behind_fence, 0},
    {MUTATE_RETARGET, "the own line", "own-line", own_line, 0},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* False when code has no instruction of the site. */
static bool find_spot(const struct program *p, const struct code *code, int site, struct spot *out)
{
    *out = (struct spot){p, code, site, -1, -1};
    for (int i = 0; i < code->count; i++)
        if (code->insns[i].site == site) {
            out->first = out->first < 0 ? i : out->first;
            out->last = i;
        }
    return out->first >= 0;
}

static bool first_with_code(const struct program *p, int core)
{
    for (int c = 0; c < core; c++)
        if (p->cores[c].code == p->cores[core].code)
            return false;
    return true;
}

static bool make_shape(struct arena *a, const struct program *p, int site,
                       const struct shape *shape, struct mutant *out)
{
    insertions list = {0};
    struct spot s;
    for (int c = 0; c < p->ncores; c++)
        if (first_with_code(p, c) && find_spot(p, p->cores[c].code, site, &s))
            shape->apply(a, &s, shape->param, &list);
    if (!list.len)
        return false;
    bool fence = shape->apply == behind_notify && has_several(p, site);
    *out = removal(a, p, site, fence ? MUTATE_MARKER : MUTATE_INSTRUCTION);
    out->kind = shape->kind;
    out->what = arena_printf(a, "%s: %s", out->what, shape->what);
    out->how = shape->how;
    out->additions = list.items;
    out->nadditions = list.len;
    return true;
}

bool mutant_named(struct arena *a, const struct program *p, int site, const char *how,
                  struct mutant *out)
{
    for (int k = 0; k < SHAPES; k++)
        if (!strcmp(shapes[k].how, how) && make_shape(a, p, site, &shapes[k], out))
            return true;
    return false;
}

const char *mutant_names(struct arena *a, const struct program *p, int site)
{
    const char *names = "";
    struct mutant m;
    for (int k = 0; k < SHAPES; k++)
        if (make_shape(a, p, site, &shapes[k], &m))
            names = arena_printf(a, "%s%s%s", names, *names ? ", " : "", m.how);
    return names;
}

void mutants_list(struct arena *a, const struct program *p, unsigned origins, mutants *out)
{
    bool seen[ORIGIN_COUNT] = {0};
    for (int i = 0; i < p->nsites; i++) {
        if (!(origins >> p->sites[i].origin & 1))
            continue;
        if (p->sites[i].marker == i && has_several(p, i))
            vec_push(a, out, removal(a, p, i, MUTATE_MARKER));
        vec_push(a, out, removal(a, p, i, MUTATE_INSTRUCTION));
        for (int k = 0; k < SHAPES; k++) {
            struct mutant m;
            if (make_shape(a, p, i, &shapes[k], &m))
                vec_push(a, out, m);
        }
    }
    for (int i = 0; i < p->nsites; i++) {
        enum origin_kind origin = p->sites[i].origin;
        if (!origin_is_rule(origin) || !(origins >> origin & 1) || seen[origin])
            continue;
        seen[origin] = true;
        vec_push(a, out, removal(a, p, i, MUTATE_RULE));
    }
}

struct program *mutant_program(struct arena *a, const struct program *p, const struct mutant *m)
{
    const struct program *with =
        m->nadditions ? program_insert(p, m->additions, m->nadditions, a) : p;
    return program_without(with, m->removed, a);
}
