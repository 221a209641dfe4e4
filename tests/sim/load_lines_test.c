/* SPDX-License-Identifier: MIT */
/*
 * Which lines the loads of a core can name: by hand, and for random programs with loops, branches
 * and addresses from memory, every line that a load of any run touches. And the arithmetic on sets
 * that it rests on: no value of a member is left out.
 */
#include "sim/load_lines.h"

#include "base/strbuf.h"
#include "sim/values.h"
#include "tests/sim/random.h"

/* ---- by hand ---- */

enum { BASE = 1, INDEX, COUNT, CONDITION, LOADED };

static struct loc x, y, in; /* a line, two lines, a line that nothing writes */

static void variables(struct builder *b)
{
    x = var(b, "x", 16), y = var(b, "y", 32), in = var(b, "in", 16);
    for (int i = 0; i < 16; i++)
        initially(b, word(in, i), i % 2 ? 64 : 0);
    core(b, 1);
    st(b, on(x, 0), 1); /* and through a register, to any word of y */
    struct insn *s = st(b, y, 2);
    s->region = y.region;
    through(s, BASE);
    core(b, 0);
}

static struct insn *branch(struct builder *b, enum insn_op op, int reg)
{
    struct insn *i = nop(b);
    i->op = op;
    i->ra = reg;
    return i;
}

static int here(const struct builder *b)
{
    return (int)b->parts[b->nparts - 1].insns.len;
}

static void target(struct builder *b, int at, int to)
{
    b->parts[b->nparts - 1].insns.items[at].imm = to;
}

static struct insn *ld_of(struct builder *b, int reg, struct loc region)
{
    struct insn *i = ld(b, LOADED, region);
    i->region = region.region;
    through(i, reg);
    return i;
}

static void literal(struct builder *b)
{
    ld(b, LOADED, word(x, 3));
    ld(b, LOADED, on(word(y, 16), 1));
}

static void constant(struct builder *b)
{
    li(b, BASE, address(b, on(x, 1)));
    ld_of(b, BASE, x)->imm = 4;
}

/* A store's own fill and a load past the cache name nothing. */
static void no_loads(struct builder *b)
{
    st(b, x, 1);
    ld_dev(b, LOADED, x);
    wait_ge(b, y, 0);
    ld(b, LOADED, in)->flags |= INSN_REMOVED;
}

/* for INDEX in range(n): load y[INDEX] */
static void loop(struct builder *b, int64_t n)
{
    li(b, INDEX, 0);
    int head = here(b);
    alu(b, CONDITION, ALU_LT, INDEX, n);
    int leave = here(b);
    branch(b, I_BZ, CONDITION);
    alu(b, BASE, ALU_MUL, INDEX, 4);
    alu(b, BASE, ALU_ADD, BASE, address(b, y));
    ld_of(b, BASE, y);
    alu(b, INDEX, ALU_ADD, INDEX, 1);
    jmp(b, head);
    target(b, leave, here(b));
}

static void short_loop(struct builder *b)
{
    loop(b, 16);
}

static void long_loop(struct builder *b)
{
    loop(b, 17);
}

static void no_loop(struct builder *b)
{
    loop(b, 0);
}

/* Far beyond what is told apart, and beyond y: the run stops there. */
static void endless_loop(struct builder *b)
{
    loop(b, 1000000000);
}

/* The bound is a word that nothing writes. */
static void loop_to_constant(struct builder *b)
{
    ld(b, COUNT, word(in, 1));
    loop(b, 0);
    struct part *p = &b->parts[b->nparts - 1];
    for (size_t i = 0; i < p->insns.len; i++)
        if (p->insns.items[i].op == I_ALU && p->insns.items[i].sub == ALU_LT)
            p->insns.items[i].rb = COUNT;
}

/* y[in[1]]: nothing writes in; the word holds 64, an offset in bytes. */
static void through_constant(struct builder *b)
{
    ld(b, LOADED, word(in, 1));
    alu(b, BASE, ALU_ADD, LOADED, address(b, y));
    ld_of(b, BASE, y);
}

/* The word may change: every line of y that a 32-bit offset reaches, on the own rank. */
static void through_memory(struct builder *b)
{
    ld(b, LOADED, x);
    alu(b, BASE, ALU_ADD, LOADED, address(b, y));
    ld_of(b, BASE, y);
}

/* A rank from memory: y on every rank. */
static void rank_from_memory(struct builder *b)
{
    ld(b, LOADED, x);
    alu(b, BASE, ALU_SHL, LOADED, GM_RANK_SHIFT);
    alu(b, BASE, ALU_ADD, BASE, address(b, y));
    ld_of(b, BASE, y);
}

/* Without a region, all of memory. */
static void no_region(struct builder *b)
{
    rank_from_memory(b);
    struct part *p = &b->parts[b->nparts - 1];
    p->insns.items[p->insns.len - 1].region = -1;
}

/* if in[0] != 0: load x; else load y */
static void branch_on_constant(struct builder *b)
{
    ld(b, CONDITION, in);
    int skip = here(b);
    branch(b, I_BZ, CONDITION);
    ld(b, LOADED, x);
    target(b, skip, here(b));
    ld(b, LOADED, y);
}

/* if x[0] != 0: load y[16] */
static void branch_on_memory(struct builder *b)
{
    ld(b, CONDITION, x);
    int skip = here(b);
    branch(b, I_BZ, CONDITION);
    ld(b, LOADED, word(y, 16));
    target(b, skip, here(b));
}

/* The index is bounded by comparisons only: 0 <= x[0] and x[0] < 4, then y[x[0]]. */
static void bounded(struct builder *b)
{
    ld(b, INDEX, x);
    alu(b, CONDITION, ALU_GE, INDEX, 0);
    alu(b, COUNT, ALU_LT, INDEX, 4);
    alu(b, LOADED, ALU_LAND, CONDITION, 0)->rb = COUNT;
    int skip = here(b);
    branch(b, I_BZ, LOADED);
    alu(b, BASE, ALU_MUL, INDEX, 4);
    alu(b, BASE, ALU_ADD, BASE, address(b, y));
    ld_of(b, BASE, y);
    target(b, skip, here(b));
}

static const struct {
    const char *name;
    void (*build)(struct builder *b);
    const char *lines;
} rows[] = {
    {"literal addresses", literal, "x[0]@0 y[16]@1"},
    {"a constant in a register", constant, "x[0]@1"},
    {"stores, loads past the cache, waits, what is removed", no_loads, ""},
    {"a loop over one line", short_loop, "y[0]@0"},
    {"one more", long_loop, "y[0]@0 y[16]@0"},
    {"a loop that is not entered", no_loop, ""},
    {"a loop over all that there is", endless_loop, "y[0]@0 y[16]@0"},
    {"a loop to a bound that nothing writes", loop_to_constant, "y[0]@0 y[16]@0 in[0]@0"},
    {"an offset that nothing writes", through_constant, "y[16]@0 in[0]@0"},
    {"an offset from memory", through_memory, "x[0]@0 y[0]@0 y[16]@0"},
    {"a rank from memory", rank_from_memory, "x[0]@0 y[0]@0 y[16]@0 y[0]@1 y[16]@1"},
    {"any address", no_region, "x[0]@0 y[0]@0 y[16]@0 in[0]@0 x[0]@1 y[0]@1 y[16]@1 in[0]@1"},
    {"a branch that is never taken", branch_on_constant, "y[0]@0 in[0]@0"},
    {"a branch that may be taken", branch_on_memory, "x[0]@0 y[16]@0"},
    {"an index that is held to bounds", bounded, "x[0]@0 y[0]@0"},
};

static const char *lines_text(struct arena *a, const struct program *p, int core)
{
    struct strbuf b = strbuf_make(a);
    struct load_lines l = load_lines_of(a, p, writable_new(a, p, TEST_LINE, true), core);
    for (int i = 0; i < l.count; i++)
        strbuf_addf(&b, "%s%s", i ? " " : "", program_where(p, l.items[i], a));
    return b.text;
}

Test(load_lines, by_hand)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct builder b = {.arena = &a};
        variables(&b);
        rows[i].build(&b);
        expect_text(rows[i].name, lines_text(&a, built(&b), 1), rows[i].lines);
        arena_free(&a);
    }
}

/* ---- random programs ---- */

enum { PROGRAMS = 400, WALKS = 3, STEPS = 400, LOADS_AT_LEAST = 3000 };

struct maker {
    struct builder b;
    struct rng rng;
};

static int below(struct maker *m, int n)
{
    return (int)rng_below(&m->rng, (uint64_t)n);
}

static int some_register(struct maker *m)
{
    return below(m, 6);
}

static void some_alu(struct maker *m)
{
    static const uint8_t ops[] = {
        ALU_ADD, ALU_SUB,  ALU_MUL, ALU_FLOORDIV, ALU_MOD, ALU_TRUNCDIV, ALU_TRUNCMOD, ALU_MIN,
        ALU_MAX, ALU_AND,  ALU_OR,  ALU_XOR,      ALU_SHL, ALU_SHR,      ALU_EQ,       ALU_LT,
        ALU_GE,  ALU_LAND, ALU_NOT, ALU_NEG,      ALU_ABS, ALU_CVT,      ALU_FADD};
    struct insn *i = alu(&m->b, some_register(m), (enum alu)ops[below(m, sizeof ops)],
                         some_register(m), below(m, 9) - 2);
    if (below(m, 2))
        i->rb = some_register(m);
    i->elem = (uint8_t)below(m, ELEM_COUNT);
    i->elem2 = (uint8_t)below(m, ELEM_COUNT);
}

/* From a word of a variable of two lines, at an index that is held to it, or is not. */
static void some_load(struct maker *m)
{
    struct builder *b = &m->b;
    struct loc v = on(below(m, 2) ? y : in, below(m, 2));
    int index = some_register(m);
    if (below(m, 4)) {
        alu(b, 6, ALU_MOD, index, 1 + below(m, 32));
        alu(b, 6, ALU_MUL, 6, 4);
    } else {
        alu(b, 6, ALU_SHL, index, 2 + below(m, 2));
    }
    alu(b, 6, ALU_ADD, 6, address(b, v));
    struct insn *i = (below(m, 4) ? ld : ld_dev)(b, some_register(m), v);
    i->region = v.region;
    through(i, 6);
}

static void some_store(struct maker *m)
{
    struct builder *b = &m->b;
    alu(b, 6, ALU_MOD, some_register(m), 16);
    alu(b, 6, ALU_MUL, 6, 4);
    alu(b, 6, ALU_ADD, 6, address(b, on(y, below(m, 2))));
    struct insn *i = st(b, y, 0);
    i->region = y.region;
    i->rb = some_register(m);
    through(i, 6);
    if (below(m, 2))
        dcci_all(b);
}

static void some_code(struct maker *m, int length, int depth);

/* A loop with a counter of its own, to a constant or to what a register holds. */
static void some_loop(struct maker *m, int depth)
{
    struct builder *b = &m->b;
    int counter = 7 + depth, condition = 11 + depth;
    li(b, counter, below(m, 3));
    int head = here(b);
    struct insn *c = alu(b, condition, ALU_LT, counter, below(m, 6) ? below(m, 12) : 300);
    if (below(m, 4) == 0)
        c->rb = some_register(m);
    int leave = here(b);
    branch(b, I_BZ, condition);
    some_code(m, 3, depth + 1);
    alu(b, below(m, 6), ALU_ADD, counter, 0);
    alu(b, counter, ALU_ADD, counter, 1 + below(m, 2));
    jmp(b, head);
    target(b, leave, here(b));
}

static void some_branch(struct maker *m, int depth)
{
    struct builder *b = &m->b;
    int skip = here(b);
    branch(b, below(m, 2) ? I_BZ : I_BNZ, some_register(m));
    some_code(m, 2, depth + 1);
    target(b, skip, here(b));
}

static void some_code(struct maker *m, int length, int depth)
{
    for (int n = 0; n < length; n++)
        switch (below(m, depth < 3 ? 8 : 6)) {
        case 0:
        case 1:
        case 2:
            some_alu(m);
            break;
        case 3:
        case 4:
            some_load(m);
            break;
        case 5:
            some_store(m);
            break;
        case 6:
            some_loop(m, depth);
            break;
        default:
            some_branch(m, depth);
        }
}

static const struct program *some_program(struct arena *a, uint64_t seed)
{
    struct maker m = {.b = {.arena = a}, .rng = rng_make(seed, 78)};
    y = var(&m.b, "y", 32), in = var(&m.b, "in", 32);
    for (int i = 0; i < 32; i++)
        initially(&m.b, word(in, i), below(&m, 20) - 4);
    for (int c = 0; c < 2; c++) {
        core(&m.b, c);
        some_code(&m, 8, 0);
    }
    return built(&m.b);
}

struct log {
    const struct load_lines *lines; /* per core */
    const char *name;
    const struct program *program;
    uint64_t loads;
};

static void expect_named(void *ctx, const struct machine *m, const struct step *s)
{
    struct log *log = ctx;
    const struct insn *i = s->t.kind == T_SCALAR ? machine_at(m, s->t.core) : NULL;
    if (!i || i->op != I_LD)
        return;
    uint64_t addr = machine_effective_address(m, s->t.core), offset = gm_offset(addr);
    const struct region *g = &m->program->regions[i->region];
    if (addr >> GM_RANK_SHIFT >= (uint64_t)m->program->nranks || offset < g->offset ||
        offset >= g->offset + g->size)
        return; /* the run stops there */
    bool named = false;
    const struct load_lines *l = &log->lines[s->t.core];
    for (int k = 0; k < l->count; k++)
        named |= l->items[k] == (addr & ~(uint64_t)(TEST_LINE - 1));
    struct arena a = {0};
    cr_expect(named, "%s: core %d at %d loads %s, which is not named:\n%s", log->name, s->t.core,
              m->cores[s->t.core].pc, program_where(m->program, addr, &a),
              program_print(m->program, &a));
    arena_free(&a);
    log->loads++;
}

Test(load_lines, hold_every_line_that_a_load_touches)
{
    uint64_t loads = 0, named = 0, all = 0;
    for (uint64_t n = 0; n < (uint64_t)soaked(PROGRAMS); n++) {
        struct rig r = {0};
        const struct program *p = some_program(&r.arena, n);
        struct writable *w = writable_new(&r.arena, p, TEST_LINE, false);
        struct load_lines lines[] = {load_lines_of(&r.arena, p, w, 0),
                                     load_lines_of(&r.arena, p, w, 1)};
        struct log log = {lines, arena_printf(&r.arena, "program %d", (int)n), p, 0};
        rig_open_program(&r, p, random_models[n % RANDOM_MODELS], NULL, false);
        for (uint64_t walk = 0; walk < WALKS; walk++) {
            struct drive_options o = {
                .seed = walk, .max_transitions = STEPS, .on_step = expect_named, .ctx = &log};
            struct drive_result result = {0};
            machine_reset(r.machine);
            drive_random(r.machine, &o, &result);
        }
        loads += log.loads;
        named += (uint64_t)(lines[0].count + lines[1].count);
        all += 2 * 2 * w->lines;
        rig_close(&r);
    }
    cr_expect(loads >= LOADS_AT_LEAST, "only %llu loads were looked at", (unsigned long long)loads);
    cr_expect(named < all * 3 / 4, "%llu of %llu lines: nothing is left out",
              (unsigned long long)named, (unsigned long long)all);
}

/* ---- sets of values ---- */

enum { SETS = 60000 };

static int64_t some_value(struct rng *rng)
{
    static const int64_t edges[] = {
        0, 1, -1, INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, UINT32_MAX, INT16_MAX, 63, 64, 2};
    int64_t edge = edges[rng_below(rng, sizeof edges / sizeof *edges)];
    int64_t small = (int64_t)rng_below(rng, 21) - 10;
    switch (rng_below(rng, 4)) {
    case 0:
        return edge;
    case 1:
        return (int64_t)((uint64_t)edge + (uint64_t)small);
    case 2:
        return small * ((int64_t)1 << rng_below(rng, 40));
    default:
        return small;
    }
}

/* A set, and one of its members. */
static struct values some_values(struct arena *a, struct rng *rng, int64_t *member)
{
    int64_t x = some_value(rng), z = some_value(rng);
    *member = x;
    if (rng_below(rng, 2)) {
        struct values one = values_one(a, x), other = values_one(a, z);
        return values_join(a, &one, &other);
    }
    struct values range = values_range(x < z ? x : z, x < z ? z : x);
    uint64_t more = (uint64_t)range.high - (uint64_t)range.low;
    *member = (int64_t)((uint64_t)range.low + (more == UINT64_MAX ? 0 : rng_below(rng, more + 1)));
    return range;
}

static bool has(const struct values *v, int64_t x)
{
    bool found = v->count == VALUES_RANGE && x >= v->low && x <= v->high;
    for (int i = 0; i < v->count; i++)
        found |= v->items[i] == x;
    return found;
}

Test(load_lines, sets_leave_no_value_out)
{
    struct rng rng = rng_make(9, 0);
    for (int n = 0; n < soaked(SETS); n++) {
        struct arena a = {0};
        int64_t x, y1;
        enum alu op = (enum alu)rng_below(&rng, ALU_COUNT);
        enum elem from = (enum elem)rng_below(&rng, ELEM_COUNT),
                  to = (enum elem)rng_below(&rng, ELEM_COUNT);
        struct values xs = some_values(&a, &rng, &x), ys = some_values(&a, &rng, &y1);
        int64_t value = alu_eval(op, x, y1, from, to);
        struct values out = values_alu(&a, op, &xs, &ys, from, to);
        cr_expect(has(&out, value), "%s of %lld and %lld is %lld, which is not in its set",
                  alu_name(op), (long long)x, (long long)y1, (long long)value);
        struct values kept = values_where(&a, op, &xs, &ys, value != 0);
        cr_expect(has(&kept, x), "%s: %lld with %lld is left out where it is %s", alu_name(op),
                  (long long)x, (long long)y1, value ? "true" : "false");
        struct values both = values_join(&a, &xs, &ys);
        cr_expect(has(&both, x) && has(&both, y1), "a joined set lacks a member");
        arena_free(&a);
    }
}
