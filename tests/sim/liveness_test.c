/* SPDX-License-Identifier: MIT */
/* Which lines and registers matter where, instruction by instruction, and where nothing is left
 * out. */
#include "sim/explore/liveness.h"
#include "base/strbuf.h"
#include "sim/explore/explore.h"
#include "tests/sim/rig.h"

/* Bits of x, y and s in a row's text: 'x' when the line matters before the instruction. */
static void loads_and_drops(struct builder *b)
{
    struct loc x = var(b, "x", 2), y = var(b, "y", 1), s = var(b, "s", 1);
    core(b, 0);
    ld(b, 0, x);
    st(b, y, 1);
    dcci(b, x);
    wait_ge(b, s, 0);
    ld(b, 1, x);
    st_atomic(b, y, 1);
    dcci_all(b);
    st_dev(b, y, 2);
    ld_dev(b, 2, x);
    ld(b, 3, s);
}

/* A poll drops the line before it reads it; its word is not its first, so that a contract that
 * drops tails leaves the front. */
static void unaligned(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    ld(b, 0, x);
    dcci(b, word(x, 1));
    wait_ge(b, word(x, 1), 0);
    ld_dev(b, 1, x);
}

static void with_a_branch(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld(b, 0, x);
    jmp(b, 2);
    dsb(b);
}

struct row_live {
    const char *name;
    void (*build)(struct builder *b);
    const char *lines; /* one word for each instruction and the end; '-': none */
    struct key keys[ROW_KEYS];
};

static const struct row_live rows[] = {
    {"loads and drops", loads_and_drops, "xy y y xy xy y - s s s -", {{0}}},
    {"unaligned", unaligned, "x - - - -", {{0}}},
    {"unaligned, only tails are dropped",
     unaligned,
     "x x x - -",
     {KEY(dcci_unaligned, DCCI_TAIL_ONLY)}},
    {"not followed", with_a_branch, "xys xys xys xys", {{0}}},
    {"coherent", unaligned, "xys xys xys xys xys", {KEY(coherent, true)}},
    {"a broken rule", unaligned, "xys xys xys xys xys", {KEY(broken, BROKEN_DSB_NO_WAIT)}},
};

static const char *live_text(struct rig *r, const struct liveness *l)
{
    struct strbuf text = strbuf_make(&r->arena);
    const char names[] = "xys";
    for (int pc = 0; pc < r->program->cores[0].code->count; pc++) {
        bool any = false;
        r->machine->cores[0].pc = pc;
        if (pc)
            strbuf_add(&text, " ");
        for (int v = 0; v < 3; v++)
            if (live_line(l, r->machine, 0, gm_addr(0, (uint64_t)(v * TEST_LINE)))) {
                strbuf_addn(&text, &names[v], 1);
                any = true;
            }
        if (!any)
            strbuf_add(&text, "-");
    }
    return text.text;
}

Test(liveness, lines)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig r;
        rig_open(&r, rows[i].build, "a2a3", rows[i].keys, false);
        expect_text(rows[i].name, live_text(&r, liveness_new(&r.arena, r.machine, NULL)),
                    rows[i].lines);
        rig_close(&r);
    }
}

static void registers(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    ld_dev(b, 0, x);
    ld_dev(b, 1, x);
    st_dev(b, y, 0)->rb = 1;
    ld_dev(b, 1, y);
}

Test(liveness, registers)
{
    static const struct {
        uint64_t observed, before[5];
    } cases[] = {
        {0, {0, 0, 2, 0, 0}},
        {1, {0, 1, 3, 1, 1}},
        {2, {0, 0, 2, 0, 2}},
        {8, {8, 8, 10, 8, 8}},
    };
    struct rig r;
    rig_open(&r, registers, "a2a3", NULL, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct liveness *l = liveness_new(&r.arena, r.machine, &cases[i].observed);
        for (int pc = 0; pc < 5; pc++) {
            r.machine->cores[0].pc = pc;
            cr_expect_eq(live_registers(l, r.machine, 0), cases[i].before[pc], "case %zu, pc %d", i,
                         pc);
        }
    }
    rig_close(&r);
}

/* Where a core may stand for ever, the state is a final one: what is observed matters there, though
 * it is loaded anew behind. */
static void registers_where_it_blocks(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    ld_dev(b, 0, x);
    wait_ge(b, s, 1);
    ld_dev(b, 0, x);
    st_dev(b, x, 1);
    wait_flag(b, PIPE_V, PIPE_S, 0);
    ld_dev(b, 0, x);
    barrier(b, PIPE_ALL);
    ld_dev(b, 0, x);
}

Test(liveness, registers_where_a_core_may_block)
{
    static const uint64_t observed = 1, before[] = {0, 1, 0, 1, 1, 0, 1, 0, 1};
    struct rig r;
    rig_open(&r, registers_where_it_blocks, "a2a3", NULL, false);
    const struct liveness *l = liveness_new(&r.arena, r.machine, &observed);
    for (int pc = 0; pc < (int)(sizeof before / sizeof *before); pc++) {
        r.machine->cores[0].pc = pc;
        cr_expect_eq(live_registers(l, r.machine, 0), before[pc], "pc %d", pc);
    }
    rig_close(&r);
}

/* Rank 1 may load x before or after the store: two ends, unless nobody looks at the register. */
static void one_load(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    core(b, 1);
    ld_dev(b, 0, x);
}

Test(liveness, what_nobody_looks_at_makes_no_states)
{
    static const uint64_t looks[][2] = {{0, 1}, {0, 0}, {1, 2}};
    static const uint64_t finals[] = {2, 1, 1};
    struct rig r;
    rig_open(&r, one_load, "a2a3", NULL, false);
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        struct explore_result result;
        struct explore_options o = {.threads = 1, .reduction = true, .observed = looks[i]};
        explore(r.program, &r.contract, &o, &result);
        cr_expect_eq(result.finals, finals[i], "%zu: %lu ends", i, (unsigned long)result.finals);
    }
    rig_close(&r);
}
