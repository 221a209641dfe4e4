/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose lanes run at once (pypto-ops-facts 3): clean as they are, and with a finding where
 * what orders the lanes is missing. The verdicts follow from the facts, not from the tool.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- running ---- */

static const char *read_text(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, path, &d);
    cr_assert(s, "%s", diag_text(&d, a));
    return s->text;
}

/* What `fencebench WORDS` prints for a file with the text. */
static const char *answer(struct arena *a, const char *words, const char *text)
{
    char folder[] = "/tmp/fencebench-lanes-XXXXXX";
    const char *given = getenv("FENCEBENCH"), *binary = given ? given : "build/fencebench";
    cr_assert(mkdtemp(folder) != NULL);
    FILE *f = fopen(arena_printf(a, "%s/k.py", folder), "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    int status = system(
        arena_printf(a, "'%s' %s %s/k.py >%s/out 2>&1 </dev/null", binary, words, folder, folder));
    cr_assert(WIFEXITED(status));
    const char *out = read_text(a, arena_printf(a, "%s/out", folder));
    cr_expect(system(arena_printf(a, "rm -r %s", folder)) == 0);
    return out;
}

/* The first place of `from` in the text has `to` instead. */
static const char *with(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    cr_assert(at, "the kernel has no '%s'", from);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* finding: how one is called, as "race at"; NULL for clean. */
static void expect_verdict(const char *name, const char *words, const char *text,
                           const char *finding)
{
    struct arena a = {0};
    const char *out = answer(&a, arena_printf(&a, "check --runs=20 %s", words), text);
    bool found = finding && strstr(out, arena_printf(&a, ": error: %s", finding));
    cr_expect(finding ? found : strstr(out, "runs: clean") && !strstr(out, "failed"),
              "%s: expected %s, found:\n%s", name, finding ? finding : "clean", out);
    arena_free(&a);
}

/* ---- kernels of this file ---- */

#define HEAD                                                                                       \
    "# fencebench: ranks 1\n"                                                                      \
    "import pypto.language as pl\n"                                                                \
    "@pl.program\n"                                                                                \
    "class T:\n"
#define AIC "    @pl.function(type=pl.FunctionType.AIC)\n"
#define AIV                                                                                        \
    "    @pl.function(type=pl.FunctionType.AIV, attrs={\"split_aiv\": True, \"split\": "           \
    "pl.SplitMode.UP_DOWN})\n"
#define GROUP  "    @pl.function(type=pl.FunctionType.Group)\n"
#define SQUARE "pl.InOut[pl.Tensor[[16, 16], pl.FP32]]"
#define LONG   "pl.InOut[pl.Tensor[[64, 16], pl.FP32]]"
#define IN     "        "

/* The vector cores store the rows of a square, the cube loads it; `set` and `wait` stand between. */
#define THROUGH(name, set, wait)                                                                   \
    AIC "    def " name "_cube(self, mid: " SQUARE ", out: " SQUARE "):\n" IN wait "\n" IN         \
        "m = pl.load(mid, [0, 0], [16, 16], target_memory=pl.Mem.Mat)\n" IN                        \
        "l = pl.tile.move(m, target_memory=pl.Mem.Left)\n" IN                                      \
        "r = pl.tile.move(m, target_memory=pl.Mem.Right)\n" IN                                     \
        "pl.store(pl.tile.matmul(l, r), [0, 0], out)\n" AIV "    def " name                        \
        "_vector(self, a: " SQUARE ", mid: " SQUARE "):\n" IN                                      \
        "lane = pl.tile.get_subblock_idx()\n" IN "t = pl.load(a, [lane * 8, 0], [8, 16])\n" IN     \
        "pl.store(pl.add(t, t), [lane * 8, 0], mid)\n" IN set "\n" GROUP "    def " name           \
        "(self, a: " SQUARE ", mid: " SQUARE ", out: " SQUARE "):\n" IN "self." name               \
        "_cube(mid, out)\n" IN "self." name "_vector(a, mid)\n"

#define SET     "pl.system.sync_set(pipe=pl.PipeType.MTE3, event_id=0)"
#define WAIT    "pl.system.sync_wait(pipe=pl.PipeType.MTE2, event_id=0)"
#define SYNCALL "pl.system.syncall(core_type=\"mix\")"

/* Two tasks on one cluster, each with a flag of its own making; of the first nothing but the flag. */
#define TWO_TASKS                                                                                  \
    "# fencebench: tasks early, late\n" HEAD AIC "    def early_cube(self, a: " SQUARE "):\n" IN   \
    "pl.system.sync_wait(pipe=pl.PipeType.MTE2, event_id=0)  # early\n" AIV                        \
    "    def early_vector(self, a: " SQUARE "):\n" IN                                              \
    "pl.system.sync_set(pipe=pl.PipeType.MTE3, event_id=0)  # early\n" GROUP                       \
    "    def early(self, a: " SQUARE "):\n" IN "self.early_cube(a)\n" IN                           \
    "self.early_vector(a)\n" THROUGH("late", SET, WAIT)

/* Each vector core writes a word by its scalar unit and reads the other's, whose line it knows. */
#define WORDS                                                                                      \
    HEAD AIV "    def vector(self, mid: pl.InOut[pl.Tensor[[2, 16], pl.INT32]], "                  \
             "out: pl.InOut[pl.Tensor[[2, 16], pl.INT32]]):\n" IN                                  \
             "lane = pl.tile.get_subblock_idx()\n" IN "pl.write(mid, [lane, 0], 7 + lane)\n" IN    \
             "pl.system.cacheinvalid()  # clean\n" IN "pl.system.fence()\n" IN                     \
             "known = pl.read(mid, [1 - lane, 8])\n" IN                                            \
             "pl.system.syncall(core_type=\"aiv_only\")\n" IN                                      \
             "pl.system.cacheinvalid()  # drop\n" IN "got = pl.read(mid, [1 - lane, 0])\n" IN      \
             "pl.write(out, [lane, 0], got + known)\n"

/* The cube pushes squares to the vector cores, which take their halves. */
#define RING                                                                                       \
    HEAD AIC "    def cube(self, x: " LONG "):\n" IN                                               \
             "ring = pl.system.import_peer_buffer(name=\"ring\", peer_func=\"vector\")\n" IN       \
             "pl.system.aic_initialize_pipe(ring, pl.const(0, pl.INT32), dir_mask=1, "             \
             "slot_size=1024, slot_num=2)\n" IN "for r in pl.range(4):\n" IN                       \
             "    a = pl.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)\n" IN                 \
             "    l = pl.tile.move(a, target_memory=pl.Mem.Left)\n" IN                             \
             "    m = pl.tile.move(a, target_memory=pl.Mem.Right)\n" IN                            \
             "    c = pl.tile.matmul(l, m)\n" IN "    pl.tile.tpush_to_aiv(c, split=1)\n" AIV      \
             "    def vector(self, o: " LONG "):\n" IN                                             \
             "ring = pl.system.reserve_buffer(name=\"ring\", size=2048)\n" IN                      \
             "pl.system.aiv_initialize_pipe(ring, pl.const(0, pl.INT32), dir_mask=1, "             \
             "slot_size=1024, slot_num=2)\n" IN "lane = pl.tile.get_subblock_idx()\n" IN           \
             "for r in pl.range(4):\n" IN                                                          \
             "    v: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1)\n" IN  \
             "    pl.store(v, [r * 16 + lane * 8, 0], o)\n" IN                                     \
             "    pl.system.tfree_to_aic(v)\n" GROUP "    def lanes(self, x: " LONG ", o: " LONG   \
             "):\n" IN "self.cube(x)\n" IN "self.vector(o)\n"

static const char through[] = HEAD THROUGH("k", SET, WAIT),
                  met[] = HEAD THROUGH("k", SYNCALL, SYNCALL), two_tasks[] = TWO_TASKS,
                  words[] = WORDS, ring[] = RING;

static const struct {
    const char *name, *text;
    const char *from, *to; /* NULL: as it is */
    const char *finding;   /* NULL: clean */
} rows[] = {
    {"a flag between the lanes", through, NULL, NULL, NULL},
    {"no wait", through, WAIT, "pass", "race at"},
    {"no wait, and the flag stays up", through, WAIT, "pass", "unpaired cross-core flag"},
    {"no set", through, SET, "pass", "hang"},
    {"set behind another pipe than the store's", through, "MTE3", "V", "stale read at"},

    /* the counters of a cluster outlive a task (pypto-ops-facts 3.6) */
    {"each task takes what it sets", two_tasks, NULL, NULL, NULL},
    {"the first leaves a flag", two_tasks, WAIT "  # early", "pass", "unpaired cross-core flag"},
    {"and the second passes its wait by it", two_tasks, WAIT "  # early", "pass", "race at"},
    {"the first waits in vain, and the second never begins", two_tasks, SET "  # early", "pass",
     "hang"},

    /* a syncall drains the pipes, and orders; it cleans nothing (pypto-ops-facts 3.5) */
    {"a syncall between the lanes", met, NULL, NULL, NULL},
    {"one lane does not take part", met, SYNCALL, "pass", "hang"},
    {"words written and read by the scalar units", words, NULL, NULL, NULL},
    {"no syncall", words, "pl.system.syncall(core_type=\"aiv_only\")", "pass", "race at"},
    {"nothing cleans", words, "pl.system.cacheinvalid()  # clean", "pass", "stale read at"},
    {"nothing invalidates", words, "pl.system.cacheinvalid()  # drop", "pass", "stale read at"},

    /* rings whose tiles are split (pypto-ops-facts 3.3) */
    {"a ring from the cube", ring, NULL, NULL, NULL},
    {"both cores store the same rows", ring, " + lane * 8", "", "race at"},
    /* three pops give one slot back, of which the cube takes one and awaits two at its end */
    {"one pop fewer", ring, "for r in pl.range(4):\n            v",
     "for r in pl.range(3):\n            v", "hang"},
    {"one push fewer", ring, "for r in pl.range(4)", "for r in pl.range(3)", "hang"},
    {"one push more", ring, "for r in pl.range(4)", "for r in pl.range(5)",
     "unpaired cross-core flag"},
};

Test(lane_verdicts, of_protocols)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        const char *text =
            rows[i].from ? with(&a, rows[i].text, rows[i].from, rows[i].to) : rows[i].text;
        expect_verdict(rows[i].name, "", text, rows[i].finding);
        arena_free(&a);
    }
}

Test(lane_verdicts, without_a_syncall_the_lanes_race)
{
    static const char none[] = HEAD THROUGH("k", "pass", "pass");
    expect_verdict("no syncall", "", none, "race at");
}

/* ---- the kernels of the folder ---- */

static const struct {
    const char *path;
    const char *words;
    int orders; /* lines that order the lanes, or the ranks */
} kernels[] = {
    {"kernels/lanes_through_memory.py", "", 2},
    {"kernels/lanes_push_ring.py", "-P2", 3},
};

/* A line that orders something; not the signals that are taken back at the end. */
static bool is_order(const char *line, size_t len)
{
    static const char *const calls[] = {"sync_set(", "sync_wait(", "system.notify(", "system.wait(",
                                        "tpush_to_"};
    struct arena a = {0};
    const char *text = arena_strndup(&a, line, len);
    bool order = false;
    for (size_t i = 0; i < COUNT(calls); i++)
        order |= strstr(text, calls[i]) && !strstr(text, ", -R,");
    arena_free(&a);
    return order;
}

static void expect_each_line_needed(size_t k)
{
    struct arena a = {0};
    const char *text = read_text(&a, kernels[k].path);
    int orders = 0;
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n"), indent = strspn(line, " ");
        if (is_order(line, len)) {
            const char *name = arena_printf(&a, "%s without%.*s", kernels[k].path, (int)len, line);
            const char *without =
                arena_printf(&a, "%.*spass%s", (int)(line + indent - text), text, line + len);
            const char *out =
                answer(&a, arena_printf(&a, "check --runs=20 %s", kernels[k].words), without);
            cr_expect(strstr(out, "runs: 20 failed"), "%s: expected a finding, found:\n%s", name,
                      out);
            orders++;
        }
        line += len + (line[len] == '\n');
    }
    cr_expect(orders == kernels[k].orders, "%s: %d lines order something", kernels[k].path, orders);
    arena_free(&a);
}

Test(lane_verdicts, each_set_and_wait_of_the_kernels_is_needed)
{
    for (size_t k = 0; k < COUNT(kernels); k++) {
        struct arena a = {0};
        const char *text = read_text(&a, kernels[k].path);
        expect_verdict(kernels[k].path, arena_printf(&a, "--model=all %s", kernels[k].words), text,
                       NULL);
        expect_each_line_needed(k);
        arena_free(&a);
    }
}

/* The flags inside of pushes and pops: their removal is noticed in every run. */
Test(lane_verdicts, each_flag_of_a_ring_is_needed)
{
    static const char *const flags[] = {"tpop wait", "tpop set: slots are free",
                                        "tpush wait for a slot", "tpush set",
                                        "end of a pipe: wait for its slots"};
    struct arena a = {0};
    const char *out = answer(&a, "sweep -P2 --runs=20 --max-states=0",
                             read_text(&a, "kernels/lanes_push_ring.py"));
    for (size_t i = 0; i < COUNT(flags); i++) {
        const char *row = strstr(out, arena_printf(&a, " macro     %s ", flags[i]));
        const char *end = row ? strchr(row, '\n') : NULL,
                   *killed = row ? strstr(row, "killed 100") : NULL;
        cr_expect(end && killed && killed < end, "%s: %s", flags[i], row ? row : out);
    }
    arena_free(&a);
}

/* What splits a ring's tiles: columns do as well as rows; whole tiles of both cores meet in one slot
 * (pto-isa#149), and without markers a tile is sent on before it has come. */
Test(lane_verdicts, of_other_push_rings)
{
    struct arena a = {0};
    const char *text = read_text(&a, "kernels/lanes_push_ring.py"), *columns = text;
    while (strstr(columns, "[8, 16]"))
        columns = with(&a, columns, "[8, 16]", "[16, 8]");
    while (strstr(columns, " + lane * 8, 0]"))
        columns = with(&a, columns, " + lane * 8, 0]", ", lane * 8]");
    while (strstr(columns, "split=1"))
        columns = with(&a, columns, "split=1", "split=2");
    columns = with(&a, columns, "UP_DOWN", "LEFT_RIGHT");
    expect_verdict("columns", "-P2", columns, NULL);
    expect_verdict("both push to one place", "-P2",
                   with(&a, text, "theirs), split=1", "theirs), split=0"), "race at lanes.pipe");
    expect_verdict("one pop fewer", "-P2",
                   with(&a, text, "for r in pl.range(R)", "for r in pl.range(R - 1)"), "hang");
    expect_verdict("without markers", "-P2 --markers=off", text, "stale read at win");
    arena_free(&a);
}

/* Lanes run at once: a rank is charged what its busiest core does, six waits here. */
Test(lane_verdicts, flushes_are_those_of_one_task)
{
    struct arena a = {0};
    const char *out =
        answer(&a, "flushes -P1,2,4 --runs=2", read_text(&a, "kernels/lanes_push_ring.py"));
    int lines = 0;
    for (const char *line = strstr(out, "\nk "); line; line = strstr(line + 1, "\nk ")) {
        char batch[8], model[16];
        int ranks, flushes;
        cr_expect(sscanf(line, "\nk %d - %7s %15s %d", &ranks, batch, model, &flushes) == 4 &&
                      flushes == 6,
                  "%s", line);
        lines++;
    }
    cr_expect(lines == 6, "%s", out);
    arena_free(&a);
}
