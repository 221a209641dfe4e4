/* SPDX-License-Identifier: MIT */
#include "sim/load_lines.h"

#include <string.h>

#include "sim/internal.h"
#include "sim/values.h"

/* Instructions looked at for one task; beyond it a set that still grows becomes unknown at once. */
enum { BUDGET = 1 << 16, NO_PLACE = -1 };

struct analysis {
    const struct program *p;
    const struct writable *w;
    const struct code *code;
    bool *named; /* per rank and line */
    int *place;  /* per register: in a state, or NO_PLACE: its value decides nothing */
    int nplaces;
    bool *leader;              /* per instruction: a basic block starts here */
    bool *head;                /* per leader: a branch leads back to it */
    struct values **in;        /* per leader: the state before it, or NULL: not reached */
    bool *due;                 /* per leader: its state has changed since it was followed */
    struct values *now, *then; /* states that are being made */
    int steps;
    struct arena scratch;
};

/* A basic block, and the registers where it is being followed. */
struct follow {
    struct analysis *an;
    struct values *now;
    int start, pc;
};

static bool is_condition(const struct insn *i)
{
    return insn_acts(i) == I_BZ || insn_acts(i) == I_BNZ;
}

/* A load through the cache. */
static bool names_line(const struct insn *i)
{
    return insn_scalar_access(i) && insn_all(i, CLASS_LOAD | CLASS_CACHED);
}

static bool writes_register(const struct insn *i)
{
    return insn_kind(i)->writes;
}

/* ---- what matters: registers that addresses and branches are made of; blocks ---- */

static bool need(struct analysis *an, int reg)
{
    if (reg == NO_REG || an->place[reg] != NO_PLACE)
        return false;
    an->place[reg] = an->nplaces++;
    return true;
}

static void find_needed(struct analysis *an)
{
    const struct code *c = an->code;
    an->place = arena_array(&an->scratch, int, (size_t)c->nregs + 1);
    an->nplaces = 0;
    for (int r = 0; r < c->nregs; r++)
        an->place[r] = NO_PLACE;
    for (bool more = true; more;) {
        more = false;
        for (int pc = c->count - 1; pc >= 0; pc--) {
            const struct insn *i = &c->insns[pc];
            bool source = is_condition(i) || names_line(i) ||
                          (writes_register(i) && an->place[i->rd] != NO_PLACE);
            if (source && insn_acts(i) != I_TILE_LD && insn_acts(i) != I_LI) {
                more |= need(an, i->ra);
                more |= need(an, insn_acts(i) == I_ALU ? i->rb : NO_REG);
            }
        }
    }
}

static void find_leaders(struct analysis *an)
{
    const struct code *c = an->code;
    an->leader = arena_array(&an->scratch, bool, (size_t)c->count + 1);
    an->head = arena_array(&an->scratch, bool, (size_t)c->count + 1);
    for (int pc = 0; pc < c->count; pc++) {
        const struct insn *i = &c->insns[pc];
        if (!insn_any(i, CLASS_BRANCH))
            continue;
        an->leader[i->imm] = an->leader[pc + 1] = true;
        an->head[i->imm] |= i->imm <= pc;
    }
}

/* ---- states ---- */

static struct values *state_new(struct analysis *an)
{
    return arena_array(&an->scratch, struct values, (size_t)an->nplaces + 1);
}

/* At the head of a loop a set grows by a value each time around, up to VALUES_MAX of them; then it
 * goes at once as far as it may. What the loop's condition says of it holds behind the head. */
static struct values widened(struct analysis *an, const struct values *old, struct values joined)
{
    if (an->steps > BUDGET)
        return values_all();
    if (old->count == VALUES_RANGE && joined.low < old->low)
        joined.low = INT64_MIN;
    if (old->count == VALUES_RANGE && joined.high > old->high)
        joined.high = INT64_MAX;
    return joined;
}

static void flow_to(struct analysis *an, int target, const struct values *state)
{
    size_t n = (size_t)an->nplaces;
    if (!an->in[target]) {
        an->in[target] = state_new(an);
        memcpy(an->in[target], state, sizeof *state * n);
        an->due[target] = true;
        return;
    }
    for (size_t k = 0; k < n; k++) {
        struct values *old = &an->in[target][k];
        struct values joined = values_join(&an->scratch, old, &state[k]);
        if (values_equal(old, &joined))
            continue;
        *old = an->head[target] ? widened(an, old, joined) : joined;
        an->due[target] = true;
    }
}

/* ---- operands ---- */

static struct values operand(const struct follow *f, int reg, const int64_t *imm)
{
    return reg == NO_REG ? (struct values){1, *imm, *imm, imm} : f->now[f->an->place[reg]];
}

static void set_register(struct follow *f, int reg, struct values v)
{
    if (f->an->place[reg] != NO_PLACE)
        f->now[f->an->place[reg]] = v;
}

/* ---- loads ---- */

/* What a load may touch without an error: bytes from low to high of each rank. */
static void bounds_of(const struct analysis *an, const struct insn *i, uint64_t *low,
                      uint64_t *high)
{
    const struct region *g = i->region < 0 ? NULL : &an->p->regions[i->region];
    *low = g ? g->offset : 0;
    *high = g ? g->offset + g->size : an->p->gm_bytes;
}

static bool may_load(const struct analysis *an, const struct insn *i, uint64_t addr)
{
    uint64_t low, high, size = (uint64_t)elem_size((enum elem)i->elem), offset = gm_offset(addr);
    bounds_of(an, i, &low, &high);
    return addr >> GM_RANK_SHIFT < (uint64_t)an->p->nranks && offset >= low && offset < high &&
           high - offset >= size && offset % size == 0;
}

static void name_line(struct analysis *an, uint64_t addr)
{
    uint64_t line = gm_offset(addr) / (uint64_t)an->w->line;
    an->named[(uint64_t)gm_rank(addr) * an->w->lines + line] = true;
}

/* The part of a range of addresses that lies in the bounds of a rank. */
static void name_range(struct analysis *an, const struct insn *i, const struct values *addr)
{
    uint64_t low, high, line = (uint64_t)an->w->line;
    bounds_of(an, i, &low, &high);
    for (int r = 0; r < an->p->nranks && low < high; r++) {
        int64_t first = (int64_t)gm_addr(r, low), last = (int64_t)gm_addr(r, high - 1);
        first = addr->low > first ? addr->low : first;
        last = addr->high < last ? addr->high : last;
        for (int64_t at = first; at <= last; at = (int64_t)(((uint64_t)at / line + 1) * line))
            name_line(an, (uint64_t)at);
    }
}

static struct values address_of(const struct follow *f, const struct insn *i)
{
    struct values base = operand(f, i->ra, &i->imm);
    struct values offset = {1, i->imm, i->imm, &i->imm};
    return i->ra == NO_REG
               ? base
               : values_alu(&f->an->scratch, ALU_ADD, &base, &offset, ELEM_I64, ELEM_I64);
}

static void name_lines(struct follow *f, const struct insn *i)
{
    struct values addr = address_of(f, i);
    if (addr.count == VALUES_RANGE)
        name_range(f->an, i, &addr);
    for (int k = 0; k < addr.count; k++)
        if (may_load(f->an, i, (uint64_t)addr.items[k]))
            name_line(f->an, (uint64_t)addr.items[k]);
}

/* The initial values of words that nothing writes; unknown when there may be others. */
static struct values loaded(const struct follow *f, const struct insn *i)
{
    const struct analysis *an = f->an;
    enum elem elem = (enum elem)i->elem;
    struct values addr = address_of(f, i), out = {0};
    if (addr.count == VALUES_RANGE)
        return values_of_elem(elem);
    for (int k = 0; k < addr.count; k++) {
        uint64_t at = (uint64_t)addr.items[k];
        if (!may_load(an, i, at))
            continue;
        if (writable_any(an->w, at, elem_size(elem)))
            return values_of_elem(elem);
        int64_t value = elem_load(an->p->gm_init[gm_rank(at)] + gm_offset(at), elem);
        struct values one = {1, value, value, &value};
        out = out.count ? values_join(&f->an->scratch, &out, &one)
                        : values_one(&f->an->scratch, value);
    }
    return out;
}

/* ---- branches ---- */

static bool redefined(const struct follow *f, int from, int reg)
{
    for (int pc = from; reg != NO_REG && pc < f->pc; pc++)
        if (writes_register(&f->an->code->insns[pc]) && f->an->code->insns[pc].rd == reg)
            return true;
    return false;
}

/* The instruction of the block that gave reg its value, while its operands still hold; or -1. */
static int definition(const struct follow *f, int reg)
{
    int pc = f->pc - 1;
    const struct insn *insns = f->an->code->insns;
    while (pc >= f->start && !(writes_register(&insns[pc]) && insns[pc].rd == reg))
        pc--;
    if (pc < f->start || insn_acts(&insns[pc]) != I_ALU || redefined(f, pc, insns[pc].ra) ||
        redefined(f, pc, insns[pc].rb))
        return -1;
    return pc;
}

/* The operation with its operands in the other order. */
static enum alu mirrored(enum alu op)
{
    static const uint8_t other[ALU_COUNT] = {
        [ALU_EQ] = ALU_EQ, [ALU_NE] = ALU_NE, [ALU_LT] = ALU_GT,
        [ALU_GT] = ALU_LT, [ALU_LE] = ALU_GE, [ALU_GE] = ALU_LE,
    };
    return (enum alu)other[op];
}

/* Registers hold only values with which the condition in reg is true, or false. */
static void assume(struct follow *f, int reg, bool truth)
{
    static const int64_t zero = 0;
    const struct values none = {1, 0, 0, &zero};
    struct values now = operand(f, reg, &zero);
    set_register(f, reg, values_where(&f->an->scratch, ALU_NE, &now, &none, truth));
    int pc = definition(f, reg);
    if (pc < 0)
        return;
    const struct insn *i = &f->an->code->insns[pc];
    enum alu op = (enum alu)i->sub;
    if (op == ALU_NOT) {
        if (i->ra != NO_REG)
            assume(f, i->ra, !truth);
        return;
    }
    if ((op == ALU_LAND && truth) || (op == ALU_LOR && !truth)) {
        if (i->ra != NO_REG)
            assume(f, i->ra, truth);
        if (i->rb != NO_REG)
            assume(f, i->rb, truth);
        return;
    }
    if (!alu_compares(op))
        return;
    struct values x = operand(f, i->ra, &i->imm2), y = operand(f, i->rb, &i->imm);
    if (i->ra != NO_REG)
        set_register(f, i->ra, values_where(&f->an->scratch, op, &x, &y, truth));
    if (i->rb != NO_REG)
        set_register(f, i->rb, values_where(&f->an->scratch, mirrored(op), &y, &x, truth));
}

static bool possible(const struct follow *f)
{
    for (int k = 0; k < f->an->nplaces; k++)
        if (f->now[k].count == 0)
            return false;
    return true;
}

static void branch(const struct follow *f, const struct insn *i)
{
    struct follow edge = *f;
    edge.now = f->an->then;
    for (int taken = 0; taken < 2; taken++) {
        memcpy(edge.now, f->now, sizeof *f->now * (size_t)f->an->nplaces);
        assume(&edge, i->ra, (insn_acts(i) == I_BNZ) == taken);
        if (possible(&edge))
            flow_to(f->an, taken ? (int)i->imm : f->pc + 1, edge.now);
    }
}

/* ---- following ---- */

/* What the instruction leaves in its register. */
static struct values result(const struct follow *f, const struct insn *i)
{
    struct values x, y;
    switch (insn_acts(i)) {
    case I_LI:
        return (struct values){1, i->imm, i->imm, &i->imm};
    case I_MOV:
        return operand(f, i->ra, NULL);
    case I_ALU:
        x = operand(f, i->ra, &i->imm2);
        y = operand(f, i->rb, &i->imm);
        return values_alu(&f->an->scratch, (enum alu)i->sub, &x, &y, (enum elem)i->elem,
                          (enum elem)i->elem2);
    case I_TILE_LD:
        return values_of_elem(f->an->code->tiles[i->aux].elem);
    default:
        return insn_any(i, CLASS_LOAD) ? loaded(f, i) : values_all();
    }
}

/* False when the block ends with the instruction, or the run. */
static bool step(struct follow *f)
{
    const struct insn *i = &f->an->code->insns[f->pc];
    if (names_line(i))
        name_lines(f, i);
    if (writes_register(i) && f->an->place[i->rd] != NO_PLACE) {
        struct values *now = &f->now[f->an->place[i->rd]];
        *now = result(f, i);
        return now->count != 0;
    }
    switch (insn_acts(i)) {
    case I_JMP:
        flow_to(f->an, (int)i->imm, f->now);
        return false;
    case I_BZ:
    case I_BNZ:
        branch(f, i);
        return false;
    case I_END:
        return false;
    default:
        return true;
    }
}

static void follow_block(struct analysis *an, int leader)
{
    struct follow f = {.an = an, .now = an->now, .start = leader, .pc = leader};
    memcpy(f.now, an->in[leader], sizeof *f.now * (size_t)an->nplaces);
    an->due[leader] = false;
    for (bool on = true; on;) {
        an->steps++;
        on = step(&f);
        if (on && an->leader[++f.pc]) {
            flow_to(an, f.pc, f.now);
            return;
        }
    }
}

/* From one entry, with all registers zero but for args. */
static void follow_from(struct analysis *an, int entry, int first_reg, const int64_t *args,
                        int nargs)
{
    static const int64_t zero = 0;
    int count = an->code->count;
    an->in = arena_array(&an->scratch, struct values *, (size_t)count + 1);
    an->due = arena_array(&an->scratch, bool, (size_t)count + 1);
    an->steps = 0;
    struct values *state = an->now;
    for (int k = 0; k < an->nplaces; k++)
        state[k] = (struct values){1, 0, 0, &zero};
    for (int k = 0; k < nargs; k++)
        if (an->place[first_reg + k] != NO_PLACE)
            state[an->place[first_reg + k]] = (struct values){1, args[k], args[k], &args[k]};
    flow_to(an, entry, state);
    for (bool more = true; more;) {
        more = false;
        for (int pc = 0; pc < count; pc++)
            if (an->due[pc]) {
                follow_block(an, pc);
                more = true;
            }
    }
}

struct load_lines load_lines_of(struct arena *a, const struct program *p, const struct writable *w,
                                int core)
{
    const struct core_desc *desc = &p->cores[core];
    size_t lines = (size_t)w->lines * (size_t)p->nranks, n = 0;
    struct analysis an = {.p = p, .w = w, .code = desc->code};
    an.named = arena_array(&an.scratch, bool, lines + 1);
    find_needed(&an);
    find_leaders(&an);
    an.now = state_new(&an);
    an.then = state_new(&an);
    if (!desc->dispatches)
        follow_from(&an, 0, 0, desc->args, desc->nargs);
    for (int d = 0; d < desc->ndispatches; d++) {
        const struct dispatch *t = &desc->dispatches[d];
        follow_from(&an, t->entry, t->first_reg, t->args, t->nargs);
    }
    for (size_t k = 0; k < lines; k++)
        n += an.named[k];
    struct load_lines out = {.items = arena_array(a, uint64_t, n + 1)};
    for (size_t k = 0; k < lines; k++)
        if (an.named[k])
            out.items[out.count++] = gm_addr((int)(k / w->lines), k % w->lines * (uint64_t)w->line);
    arena_free(&an.scratch);
    return out;
}
