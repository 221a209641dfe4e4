/* SPDX-License-Identifier: MIT */
/*
 * What it costs to read, print, compare and hash a program, in MB of text per second of processor
 * time: a printed layer of about 1 MB whose signatures have more than 10,000 characters
 * (pypto-facts 1.6), and texts of that size of one shape only, which show what grows faster than
 * the text.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"

enum { TEXT_BYTES = 1000000, ROUNDS = 5, WIDE_PARAMS = 110 };
static const double floor_rate = 4;

/* ---- texts ---- */

static void add_layer(struct strbuf *b)
{
    strbuf_add(b, "# pypto.program: layer\nimport pypto.language as pl\n"
                  "import pypto.language.distributed as pld\nT_DYN = pl.dynamic(\"T_DYN\")\n"
                  "@pl.program\nclass layer:\n");
    for (int f = 0; b->len < TEXT_BYTES; f++) {
        strbuf_addf(b,
                    "    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, "
                    "role=pl.Role.SubWorker)\n    def kernel_%d(",
                    f);
        for (int i = 0; i < WIDE_PARAMS; i++)
            strbuf_addf(b,
                        "x%d_inline%d__ssa_v0: pl.Tensor[[T_DYN, 4096], pl.BF16, "
                        "pl.MemRef(\"mem_ddr_%d\", pl.const(0, pl.INT64), 0)], ",
                        i, f, i);
        strbuf_add(b, "n__ssa_v0: pl.Scalar[pl.INDEX]):\n");
        for (int i = 0; i < 40; i++)
            strbuf_addf(
                b,
                "        for i%d__idx_v0, (x%d__iter_v1,) in pl.range(n__ssa_v0, "
                "init_values=(x%d_inline%d__ssa_v0,)):\n"
                "            t%d__tile: pl.Tile[[1, 64], pl.BF16, pl.MemRef(\"mem_vec_%d\", "
                "pl.const(0, pl.INT64), 128), pl.Mem.Vec] = pl.tile.load(x%d__iter_v1, "
                "[i%d__idx_v0 * 2 + 1, 0], [1, 64], [1, 64], target_memory=pl.Mem.Vec)\n"
                "            x%d__rv_v2: pl.Tensor[[T_DYN, 4096], pl.BF16] = "
                "pl.yield_(x%d__iter_v1)\n",
                i, i, i, f, i, i, i, i, i, i);
        strbuf_add(b, "        return\n");
    }
}

static const char head[] = "def f(x: pl.Tensor[[4], pl.FP32], n: pl.Scalar[pl.INDEX]):\n";

static void add_one_line(struct strbuf *b)
{
    strbuf_addf(b, "%s    pl.m([n", head);
    while (b->len < TEXT_BYTES)
        strbuf_add(b, ", n");
    strbuf_add(b, "])\n");
}

static void add_statements(struct strbuf *b)
{
    strbuf_add(b, head);
    for (int i = 0; b->len < TEXT_BYTES; i++)
        strbuf_addf(b, "    y%d = n\n", i);
}

static void add_loops(struct strbuf *b)
{
    strbuf_add(b, head);
    while (b->len < TEXT_BYTES)
        strbuf_add(b, "    for i in pl.range(2):\n        pass\n");
}

static void add_functions(struct strbuf *b)
{
    for (int i = 0; b->len < TEXT_BYTES; i++)
        strbuf_addf(b, "def f%d():\n    f%d()\n", i, i / 2);
}

static void add_symbols(struct strbuf *b)
{
    for (int i = 0; b->len < TEXT_BYTES; i++)
        strbuf_addf(b, "def f%d(x: pl.Tensor[[r%d, c%d], pl.FP32]):\n    pass\n", i, i, i);
}

static const struct {
    const char *name;
    void (*add)(struct strbuf *b);
} shapes[] = {
    {"printed layer", add_layer},           {"one line", add_one_line},
    {"100,000 statements", add_statements}, {"loops", add_loops},
    {"functions", add_functions},           {"symbols", add_symbols},
};

/* ---- measuring ---- */

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum step { READ, PRINT, COMPARE, HASH, STEPS };

/* Seconds of each step in one round; false when the text is not read. */
static bool run_round(const char *text, double seconds[STEPS])
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    double t0 = processor_seconds();
    struct ir_program *p = ir_parse(&a, source_from_string(&a, "text", text), &d);
    double t1 = processor_seconds();
    const char *printed = p ? ir_print(&a, p) : "";
    double t2 = processor_seconds();
    struct ir_program *again = ir_parse(&a, source_from_string(&a, "printed", printed), &d);
    double t3 = processor_seconds();
    bool equal = again && ir_equal(p, again);
    double t4 = processor_seconds();
    bool same = equal && ir_hash(p) == ir_hash(again);
    double t5 = processor_seconds();
    const double spent[STEPS] = {t1 - t0, t2 - t1, t4 - t3, (t5 - t4) / 2};
    memcpy(seconds, spent, sizeof spent);
    diag_print(&d, stderr);
    arena_free(&a);
    return same;
}

/* The best round, as MB per second. */
static bool measure(const char *name, const char *text, double *read_rate)
{
    double best[STEPS] = {1e9, 1e9, 1e9, 1e9}, megabytes = (double)strlen(text) / 1e6;
    for (int round = 0; round < ROUNDS; round++) {
        double seconds[STEPS];
        if (!run_round(text, seconds))
            return false;
        for (int s = 0; s < STEPS; s++)
            if (seconds[s] < best[s])
                best[s] = seconds[s];
    }
    printf(
        "%-18s %5.2f MB: read %6.1f MB/s, print %6.1f MB/s, compare %6.1f MB/s, hash %6.1f MB/s\n",
        name, megabytes, megabytes / best[READ], megabytes / best[PRINT], megabytes / best[COMPARE],
        megabytes / best[HASH]);
    *read_rate = megabytes / best[READ];
    return true;
}

int main(void)
{
    bool slow = false;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct arena a = {0};
        struct strbuf b = strbuf_make(&a);
        double rate = 0;
        shapes[i].add(&b);
        if (!measure(shapes[i].name, b.text, &rate)) {
            fprintf(stderr, "%s: it is not read back as it was\n", shapes[i].name);
            return 1;
        }
        slow |= rate < floor_rate;
        arena_free(&a);
    }
    printf("floor %.0f MB/s of reading\n", floor_rate);
    if (slow)
        printf("below the floor\n");
    return slow;
}
