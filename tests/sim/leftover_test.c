/* SPDX-License-Identifier: MIT */
/* What a task leaves behind: a flag that is set twice or that is still up, of pipes or between
 * cores; where it is told, and where it must not be. Every schedule tells the same. */
#include "tests/sim/rig.h"

static const enum pipe M2 = PIPE_MTE2, M3 = PIPE_MTE3;

static void pair(struct builder *b)
{
    core(b, 0);
    set_flag(b, M2, M3, 0);
    wait_flag(b, M2, M3, 0);
    set_flag(b, M2, M3, 0);
    wait_flag(b, M2, M3, 0);
}

static void never_awaited(struct builder *b)
{
    core(b, 0);
    set_flag(b, M2, M3, 0);
}

static void set_twice(struct builder *b)
{
    core(b, 0);
    set_flag(b, M2, M3, 0);
    set_flag(b, M2, M3, 0);
    wait_flag(b, M2, M3, 0);
    wait_flag(b, M2, M3, 0);
}

/* Neither id nor pipes make one flag of two. */
static void three_flags(struct builder *b)
{
    core(b, 0);
    set_flag(b, M2, M3, 0);
    set_flag(b, M2, M3, 1);
    set_flag(b, M2, PIPE_V, 0);
    wait_flag(b, M2, M3, 0);
    wait_flag(b, M2, M3, 1);
    wait_flag(b, M2, PIPE_V, 0);
}

/* Two credits at first, then one for each that was taken. */
static void two_credits(struct builder *b)
{
    core(b, 0);
    set_flag(b, M3, M2, 0);
    wait_flag(b, M3, M2, 0);
    set_flag(b, M3, M2, 0);
    wait_flag(b, M3, M2, 0);
}

static void scalar_end(struct builder *b)
{
    core(b, 0);
    set_flag(b, PIPE_S, M3, 0);
    set_flag(b, M2, PIPE_S, 1);
    wait_flag(b, M2, PIPE_S, 1);
}

/* The second task's wait takes what the first one left. */
static void next_task_takes_it(struct builder *b)
{
    core(b, 0);
    task(b, "first");
    set_flag(b, M2, M3, 0);
    task(b, "second");
    wait_flag(b, M2, M3, 0);
}

static void mode_set_back(struct builder *b)
{
    core(b, 0);
    set_atomic(b, true);
    mte3(b, var(b, "x", 1), tile(b, 1));
    set_atomic(b, false);
    dsb(b);
}

static void mode_left_on(struct builder *b)
{
    core(b, 0);
    set_atomic(b, true);
    mte3(b, var(b, "x", 1), tile(b, 1));
}

/* ---- between cores ---- */

static void lane_of(struct builder *b, int index)
{
    lane(b, 0, 0, (enum lane)(LANE_AIC + index));
}

static void cross_pair(struct builder *b)
{
    lane_of(b, 0);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, 2);
    for (int v = 1; v <= 2; v++) {
        lane_of(b, v);
        wait_cross(b, 2);
    }
}

static void cross_never_awaited(struct builder *b)
{
    lane_of(b, 0);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, 2);
    lane_of(b, 1);
    wait_cross(b, 2);
    lane_of(b, 2);
    nop(b);
}

/* The counter of the vector core on which nothing runs keeps its place. */
static void cross_half(struct builder *b)
{
    lane_of(b, 1);
    set_cross(b, M3, CROSS_PAIR, 2);
    barrier(b, PIPE_ALL);
    lane_of(b, 2);
    nop(b);
}

/* Two sets and one wait: reduced they are one flag, counted one is too many (tilelang-ascend#1136). */
static void two_for_one(struct builder *b)
{
    lane_of(b, 0);
    wait_cross(b, 0);
    for (int v = 1; v <= 2; v++) {
        lane_of(b, v);
        set_cross(b, M3, CROSS_CLUSTER, 0);
    }
}

static const struct {
    const char *name;
    void (*build)(struct builder *b);
    const char *expected;
    struct key keys[ROW_KEYS];
} rows[] = {
    {"pairs", pair, "-", {{0}}},
    {"never awaited", never_awaited, "unpaired set_flag", {{0}}},
    {"set twice", set_twice, "redundant set_flag", {{0}}},
    {"three flags", three_flags, "-", {{0}}},
    {"credits", two_credits, "-", {{0}}},
    {"of the scalar unit", scalar_end, "unpaired set_flag", {{0}}},
    {"a later task takes it", next_task_takes_it, "unpaired set_flag", {{0}}},
    {"coherent", never_awaited, "unpaired set_flag", {KEY(coherent, true)}},
    {"a mode set back", mode_set_back, "-", {{0}}},
    {"a mode left on", mode_left_on, "atomic mode left on", {{0}}},
    {"between cores", cross_pair, "-", {{0}}},
    {"between cores, never awaited", cross_never_awaited, "unpaired cross-core flag", {{0}}},
    {"between cores, half a meeting", cross_half, "unpaired cross-core flag", {{0}}},
    {"two sets, one wait", two_for_one, "-", {{0}}},
    {"counted, one is left", two_for_one, "unpaired cross-core flag", {KEY(v2c, V2C_COUNT)}},
};

static void add_verdicts(struct rig *r, void *ctx)
{
    struct text_set *seen = ctx;
    struct arena a = {0};
    struct text_set one = {.arena = &a};
    oracle_finish(r->oracle, r->machine);
    rig_verdicts(r, &one);
    text_set_add(seen, text_set_join(&one));
    arena_free(&a);
}

Test(leftover, is_told_by_every_schedule)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig r;
        rig_open(&r, rows[i].build, "a2a3", rows[i].keys, true);
        struct text_set seen = {.arena = &r.arena};
        cr_expect(rig_explore(&r, false, 2000000, add_verdicts, &seen), "%s: too many runs",
                  rows[i].name);
        expect_text(rows[i].name, text_set_join(&seen), rows[i].expected);
        rig_close(&r);
    }
}

/* ---- who is named ---- */

static const char *report(void (*build)(struct builder *b), struct rig *r)
{
    rig_open(r, build, "a2a3", NULL, true);
    rig_script(r, "run", "run end");
    oracle_finish(r->oracle, r->machine);
    return rig_findings(r, &r->arena);
}

Test(leftover, names_what_was_set)
{
    static const struct {
        void (*build)(struct builder *b);
        const char *places[3];
    } named[] = {
        {never_awaited, {"P0 set_flag", "flag mte2 -> mte3, id 0", "when the task ends"}},
        {set_twice, {"P0 set_flag", "flag mte2 -> mte3, id 0", "nothing waits for it between"}},
        {mode_left_on, {"P0 set_atomic", "next task on this core", "add to memory"}},
        {cross_never_awaited, {"P0 set_cross", "flag 2", "core 0.aiv1, 1 time when"}},
        {cross_half, {"P0 set_cross", "flag 2", "set by core 0.aiv0, and not by all others"}},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        struct rig r;
        const char *text = report(named[i].build, &r);
        for (int k = 0; k < 3; k++)
            cr_expect(strstr(text, named[i].places[k]), "'%s' is missing in: %s",
                      named[i].places[k], text);
        rig_close(&r);
    }
}
