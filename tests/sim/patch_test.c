/* SPDX-License-Identifier: MIT */
/* Instructions put into a program: where they stand, and that all else stays as it was. */
#include "base/rng.h"
#include "base/strbuf.h"
#include "sim/patch.h"
#include "tests/sim/random.h"

static struct insn plain(enum insn_op op)
{
    return (struct insn){.op = (uint8_t)op, .ra = NO_REG, .rb = NO_REG, .rd = NO_REG, .region = -1};
}

static struct insertion at(const struct program *p, int core, int insn, bool behind,
                           enum insn_op op)
{
    return (struct insertion){p->cores[core].code, insn, behind, plain(op)};
}

/* "li 1; nop; jmp 0": the instructions of a core, with the targets of branches. */
static const char *listing(const struct program *p, int core, struct arena *a)
{
    const struct code *c = p->cores[core].code;
    struct strbuf b = strbuf_make(a);
    for (int i = 0; i < c->count; i++)
        strbuf_addf(&b, "%s%s", i ? "; " : "", insn_text(p, c, &c->insns[i], a));
    return b.text;
}

static void loop(struct builder *b)
{
    core(b, 0);
    li(b, 0, 1);
    jmp(b, 2);
    nop(b);
    jmp(b, 2);
}

static const struct {
    const char *name;
    int n, at[2];
    bool behind[2];
    const char *expected;
} places[] = {
    {"in front: jumps come to it", 1, {2}, {false}, "li r0, 1; jmp 2; dsb; nop; jmp 2; end"},
    {"behind: jumps to what follows pass it by",
     1,
     {0},
     {true},
     "li r0, 1; dsb; jmp 3; nop; jmp 3; end"},
    {"behind what is jumped to", 1, {2}, {true}, "li r0, 1; jmp 2; nop; dsb; jmp 2; end"},
    {"both at one place: behind the one comes before in front of the next",
     2,
     {1, 0},
     {false, true},
     "li r0, 1; dsb; dsb; jmp 4; nop; jmp 4; end"},
    {"in front of the first", 1, {0}, {false}, "dsb; li r0, 1; jmp 3; nop; jmp 3; end"},
    {"in front of the end", 1, {4}, {false}, "li r0, 1; jmp 2; nop; jmp 2; dsb; end"},
    {"nothing", 0, {0}, {false}, "li r0, 1; jmp 2; nop; jmp 2; end"},
};

Test(patch, places)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct arena a = {0};
        struct builder b = {.arena = &a};
        loop(&b);
        const struct program *p = built(&b);
        struct insertion list[2];
        for (int k = 0; k < places[i].n; k++)
            list[k] = at(p, 0, places[i].at[k], places[i].behind[k], I_DSB);
        const struct program *q = program_insert(p, list, (size_t)places[i].n, &a);
        expect_text(places[i].name, listing(q, 0, &a), places[i].expected);
        expect_text("the program itself", listing(p, 0, &a), "li r0, 1; jmp 2; nop; jmp 2; end");
        arena_free(&a);
    }
}

Test(patch, originals)
{
    struct arena a = {0};
    struct builder b = {.arena = &a};
    loop(&b);
    const struct program *p = built(&b);
    const struct insertion list[] = {at(p, 0, 2, false, I_DSB), at(p, 0, 0, true, I_DSB)};
    const struct program *q = program_insert(p, list, 2, &a);
    static const int expected[] = {0, -1, 1, -1, 2, 3, 4};
    for (int i = 0; i < 7; i++)
        cr_expect_eq(program_original(q, 0, i), expected[i], "instruction %d", i);
    cr_expect_eq(program_original(q, 0, -1), -1);
    cr_expect_eq(program_original(q, -1, 0), -1);
    arena_free(&a);
}

/* Cores that share a text still do; one that has another keeps it. */
Test(patch, code_is_shared_as_before)
{
    struct arena a = {0};
    struct builder b = {.arena = &a};
    loop(&b);
    core(&b, 1);
    nop(&b);
    struct program *p = arena_dup(&a, built(&b), sizeof *p);
    struct core_desc *cores = arena_array(&a, struct core_desc, 3);
    for (int c = 0; c < 3; c++)
        cores[c] = p->cores[c % 2];
    p->cores = cores;
    p->ncores = 3;
    const struct insertion list[] = {at(p, 0, 0, false, I_DSB)};
    const struct program *q = program_insert(p, list, 1, &a);
    cr_expect(q->cores[0].code == q->cores[2].code);
    cr_expect(q->cores[0].code->count == p->cores[0].code->count + 1);
    cr_expect(q->cores[1].code->count == p->cores[1].code->count);
    arena_free(&a);
}

/* A task starts where it did, not at what stands in front of it: that
 * belongs to the task before. */
Test(patch, tasks_start_where_they_did)
{
    struct arena a = {0};
    struct builder b = {.arena = &a};
    core(&b, 0);
    task(&b, "first");
    nop(&b)->op = I_END;
    task(&b, "second");
    struct program *p = arena_dup(&a, built(&b), sizeof *p);
    struct dispatch both[] = {{.entry = 2}, {.entry = 0}};
    p->cores = arena_dup(&a, p->cores, sizeof *p->cores);
    p->cores[0].dispatches = both;
    p->cores[0].ndispatches = 2;
    const struct insertion list[] = {at(p, 0, 2, false, I_DSB), at(p, 0, 1, false, I_DSB)};
    const struct program *q = program_insert(p, list, 2, &a);
    expect_text("text", listing(q, 0, &a), "task first; dsb; end; dsb; task second; end");
    cr_expect_eq(q->cores[0].dispatches[0].entry, 4);
    cr_expect_eq(q->cores[0].dispatches[1].entry, 0);
    cr_expect_eq(p->cores[0].dispatches[0].entry, 2);
    arena_free(&a);
}

static const char *run_of_seed(const struct program *p, uint64_t seed, struct arena *a)
{
    struct rig r = {0};
    rig_open_program(&r, p, "a2a3", NULL, false);
    struct drive_options o = {.seed = seed};
    struct drive_result result = {0};
    drive_random(r.machine, &o, &result);
    const char *text = arena_printf(a, "%d steps: %s", (int)result.transitions, rig_outcome(&r, a));
    rig_close(&r);
    return text;
}

/* What does nothing changes no run, wherever it stands. */
Test(patch, nops_change_nothing)
{
    enum { PROGRAMS = 200, NOPS = 6 };
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct rig r;
        struct rng rng = rng_make(seed, 0);
        open_random(&r, seed, 2, 8, "a2a3");
        struct insertion list[NOPS];
        for (int k = 0; k < NOPS; k++) {
            int c = (int)rng_below(&rng, 2), count = r.program->cores[c].code->count;
            list[k] = at(r.program, c, (int)rng_below(&rng, (uint64_t)count - 1),
                         rng_below(&rng, 2), I_NOP);
        }
        const struct program *q = program_insert(r.program, list, NOPS, &r.arena);
        const char *name = arena_printf(&r.arena, "seed %d", (int)seed);
        expect_text(name, run_of_seed(q, seed, &r.arena), run_of_seed(r.program, seed, &r.arena));
        rig_close(&r);
    }
}
