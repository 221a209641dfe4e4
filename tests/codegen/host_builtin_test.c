/* SPDX-License-Identifier: MIT */
/*
 * The builtin collectives of the host (pypto-facts 5.6) by what they compute: each rank stages its
 * part of x, the collective runs, each rank copies its window out. Run on the sc contract, where
 * only the algorithm matters, and judged by the definition of the collective; and that the signal's
 * cells are back at 0, so that it can be used again.
 */
#include "ir/parse.h"
#include "ir/verify.h"
#include "models/contract.h"
#include "codegen/host/host.h"
#include "passes/pass.h"
#include "sim/driver.h"
#include "sim/oracle.h"
#include "tests/support.h"

enum { RANKS = 3 };

/* $S rows of the source, $R rows of the target, $C columns; $CALL the collective. source, target,
 * counts, received, sig are windows. */
static const char text[] =
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "@pl.program\n"
    "class T:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def stage(self, x: pl.Tensor[[$S, $C], pl.FP32], n: pl.Tensor[[3, 1], pl.INT32], "
    "s: pl.InOut[pld.DistributedTensor[[$S, $C], pl.FP32]], "
    "c: pl.InOut[pld.DistributedTensor[[3, 1], pl.INT32]]):\n"
    "        t = pl.load(x, [0, 0], [$S, $C])\n"
    "        pl.store(t, [0, 0], s)\n"
    "        for i in pl.range(3):\n"
    "            pl.write(c, [i, 0], pl.read(n, [i, 0]))\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def take(self, t: pl.InOut[pld.DistributedTensor[[$R, $C], pl.FP32]], "
    "y: pl.Out[pl.Tensor[[$R, $C], pl.FP32]]):\n"
    "        v = pl.load(t, [0, 0], [$R, $C])\n"
    "        pl.store(v, [0, 0], y)\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def publish(self, x: pl.Tensor[[$S, $C], pl.FP32], n: pl.Tensor[[3, 1], pl.INT32], "
    "s: pl.InOut[pld.DistributedTensor[[$S, $C], pl.FP32]], "
    "c: pl.InOut[pld.DistributedTensor[[3, 1], pl.INT32]]):\n"
    "        self.stage(x, n, s, c)\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def consume(self, t: pl.InOut[pld.DistributedTensor[[$R, $C], pl.FP32]], "
    "y: pl.Out[pl.Tensor[[$R, $C], pl.FP32]]):\n"
    "        self.take(t, y)\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def idle(self, c: pl.InOut[pld.DistributedTensor[[3, 1], pl.INT32]], "
    "s: pl.InOut[pld.DistributedTensor[[$Q, $L], pl.INT32]], "
    "t: pl.InOut[pld.DistributedTensor[[$R, $C], pl.FP32]], "
    "o: pl.InOut[pld.DistributedTensor[[$S, $C], pl.FP32]]):\n"
    "        return\n"
    "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
    "    def main(self, x: pl.Tensor[[3, $S, $C], pl.FP32], n: pl.Tensor[[3, 3, 1], pl.INT32], "
    "y: pl.Out[pl.Tensor[[3, $R, $C], pl.FP32]]):\n"
    "        one = pld.alloc_window_buffer($S * $C * 4)\n"
    "        two = pld.alloc_window_buffer($R * $C * 4)\n"
    "        cells = pld.alloc_window_buffer($Q * $L * 4)\n"
    "        sends = pld.alloc_window_buffer(12)\n"
    "        gets = pld.alloc_window_buffer(12)\n"
    "        source = pld.window(one, [$S, $C], dtype=pl.FP32)\n"
    "        target = pld.window(two, [$R, $C], dtype=pl.FP32)\n"
    "        sig = pld.window(cells, [$Q, $L], dtype=pl.INT32)\n"
    "        counts = pld.window(sends, [3, 1], dtype=pl.INT32)\n"
    "        received = pld.window(gets, [3, 1], dtype=pl.INT32)\n"
    "        for r in pl.range(3):\n"
    "            self.publish(x[r], n[r], $IN, counts, device=r)\n"
    "            self.idle(received, sig, target, source, device=r)\n"
    "        $CALL\n"
    "        for r in pl.range(3):\n"
    "            self.consume(target, y[r], device=r)\n";

/* Element i of the input of rank `of`, and of its counts. */
static int x(int size, int of, int i)
{
    return 5 * (of * size + i) % 7 + 1;
}

struct shape {
    int source, target, cols;
};

static int sum(const struct shape *s, int rank, int row, int col)
{
    (void)rank;
    int total = 0;
    for (int r = 0; r < RANKS; r++)
        total += x(s->source * s->cols, r, row * s->cols + col);
    return total;
}

static int largest(const struct shape *s, int rank, int row, int col)
{
    (void)rank;
    int most = 0;
    for (int r = 0; r < RANKS; r++) {
        int v = x(s->source * s->cols, r, row * s->cols + col);
        most = v > most ? v : most;
    }
    return most;
}

static int root_one(const struct shape *s, int rank, int row, int col)
{
    (void)rank;
    return x(s->source * s->cols, 1, row * s->cols + col);
}

static int own_row_sum(const struct shape *s, int rank, int row, int col)
{
    return row == rank ? sum(s, rank, row, col) : x(s->source * s->cols, rank, row * s->cols + col);
}

static int gathered(const struct shape *s, int rank, int row, int col)
{
    (void)rank;
    return x(s->cols, row, col);
}

static int exchanged(const struct shape *s, int rank, int row, int col)
{
    return x(s->source * s->cols, row, rank * s->cols + col);
}

/* Blocks of two rows. */
static int exchanged_blocks(const struct shape *s, int rank, int row, int col)
{
    return x(s->source * s->cols, row / 2, (rank * 2 + row % 2) * s->cols + col);
}

#define IN_PLACE(rows, cols)                                                                       \
    {                                                                                              \
        rows, rows, cols                                                                           \
    }
static const struct collective {
    const char *name, *call, *staged, *rows, *lanes; /* of the signal */
    struct shape shape;
    int (*expected)(const struct shape *s, int rank, int row, int col);
    int barriers; /* of all cores of a rank: a notify to each peer and a wait for each */
    int cells;    /* of each peer, each taken back once at the end */
    int counts;   /* notifies of counts, for each rank */
    bool drops;   /* the cache is invalidated behind each wait */
} collectives[] = {
    {"sum", "pld.tensor.allreduce(target, sig, op=pld.ReduceOp.Sum)", "target", "3", "1",
     IN_PLACE(1, 16), sum, 2, 1, 0, false},
    {"sum over several tiles", "pld.tensor.allreduce(target, sig, op=pld.ReduceOp.Sum)", "target",
     "3", "1", IN_PLACE(1, 600), sum, 4, 1, 0, false},
    {"sum in two blocks", "pld.tensor.allreduce(target, sig, op=pld.ReduceOp.Sum, core_num=2)",
     "target", "3", "2", IN_PLACE(1, 600), sum, 5, 2, 0, false},
    {"maximum", "pld.tensor.allreduce(target, sig, op=pld.ReduceOp.Max)", "target", "3", "1",
     IN_PLACE(1, 16), largest, 2, 1, 0, false},
    {"ring", "pld.tensor.allreduce(target, sig, op=pld.ReduceOp.Sum, mode=\"ring\")", "target", "5",
     "3", IN_PLACE(1, 48), sum, 5, 5, 0, false},
    {"ring over several tiles",
     "pld.tensor.allreduce(target, sig, op=pld.ReduceOp.Sum, mode=\"ring\")", "target", "5", "3",
     IN_PLACE(1, 900), sum, 5, 5, 0, false},
    {"reduce and scatter", "pld.tensor.reduce_scatter(target, sig, op=pld.ReduceOp.Sum)", "target",
     "3", "1", IN_PLACE(3, 16), own_row_sum, 2, 1, 0, true},
    {"broadcast", "pld.tensor.broadcast(target, sig, root=1)", "target", "3", "1", IN_PLACE(1, 300),
     root_one, 2, 1, 0, false},
    {"gather",
     "pld.tensor.allgather(source, target, sig)",
     "source",
     "3",
     "1",
     {1, 3, 300},
     gathered,
     1,
     1,
     0,
     false},
    {"exchange",
     "pld.tensor.all_to_all(source, target, sig)",
     "source",
     "3",
     "1",
     {3, 3, 16},
     exchanged,
     1,
     1,
     0,
     false},
    {"exchange of blocks",
     "pld.tensor.all_to_all_v(source, target, sig, counts, received)",
     "source",
     "3",
     "1",
     {6, 6, 8},
     exchanged_blocks,
     1,
     1,
     1,
     false},
    {"barrier", "pld.tensor.barrier(sig)", "target", "3", "1", IN_PLACE(1, 16), NULL, 1, 1, 0,
     false},
};

static const char *with(struct arena *a, const char *from, const char *name, const char *value)
{
    const char *out = "";
    for (const char *at; (at = strstr(from, name)); from = at + strlen(name))
        out = arena_printf(a, "%s%.*s%s", out, (int)(at - from), from, value);
    return arena_printf(a, "%s%s", out, from);
}

static const struct program *compiled(struct arena *a, const struct collective *c)
{
    static const struct pass_options defaults = {.batch = PASS_BATCH_LOOPS, .markers = true};
    struct diag d = {.arena = a};
    struct directives dir = {0};
    const struct {
        const char *name, *value;
    } words[] = {{"$CALL", c->call},
                 {"$IN", c->staged},
                 {"$S", arena_printf(a, "%d", c->shape.source)},
                 {"$R", arena_printf(a, "%d", c->shape.target)},
                 {"$C", arena_printf(a, "%d", c->shape.cols)},
                 {"$Q", c->rows},
                 {"$L", c->lanes}};
    const char *t = text;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        t = with(a, t, words[i].name, words[i].value);
    const struct toolchain *tools = toolchain_load(a, "models", "ptoas-0.57", &d);
    const struct ir_program *p = ir_parse(a, source_from_string(a, "t.py", t), &d);
    if (p && verify_program(p, &d))
        p = passes_run(a, p, NULL, 0, &defaults, NULL, &d);
    struct codegen_options o = {.toolchain = tools, .nranks = RANKS};
    const struct program *made = p && !d.failed ? codegen(a, p, &dir, &o, &d) : NULL;
    cr_assert(made, "%s: %s", c->name, diag_text(&d, a));
    return made;
}

static const struct region *region(const struct program *p, const char *name)
{
    for (int i = 0; i < p->nregions; i++)
        if (!strcmp(p->regions[i].name, name))
            return &p->regions[i];
    return NULL;
}

static void check_memory(const struct collective *c, const struct machine *m)
{
    const struct region *y = region(m->program, "y"), *cells = region(m->program, "cells");
    const struct shape *s = &c->shape;
    for (int rank = 0; rank < RANKS; rank++) {
        const uint8_t *out =
            m->gm[rank] + y->offset + (size_t)(rank * s->target * s->cols) * sizeof(float);
        for (int i = 0; c->expected && i < s->target * s->cols; i++) {
            float got;
            memcpy(&got, out + (size_t)i * sizeof got, sizeof got);
            int want = c->expected(s, rank, i / s->cols, i % s->cols);
            cr_assert(got == (float)want, "%s: rank %d, element %d: %g instead of %d", c->name,
                      rank, i, (double)got, want);
        }
        for (uint64_t i = 0; i < cells->size; i++)
            cr_assert(m->gm[rank][cells->offset + i] == 0, "%s: a cell of the signal is not back",
                      c->name);
    }
}

/* pypto-facts 5.6: an allreduce has a barrier in front and one behind each tile that a core loads, a
 * broadcast one for each tile, a ring one for each of its 2 (P - 1) rounds and one at the end. */
static void check_counts(const struct collective *c, const struct machine *m)
{
    uint64_t pairs = RANKS * (RANKS - 1), waits = 0, notifies = 0, flushes = 0;
    for (int core = 0; core < m->program->ncores; core++) {
        waits += m->stats[core].polls;
        notifies += m->stats[core].notifies;
        flushes += m->stats[core].dcci_all[ORIGIN_R1] + m->stats[core].dcci_all[ORIGIN_HAND];
    }
    uint64_t barriers = pairs * (uint64_t)c->barriers, taken_back = pairs * (uint64_t)c->cells,
             counts = RANKS * RANKS * (uint64_t)c->counts;
    cr_expect(waits == barriers, "%s: %llu waits", c->name, (unsigned long long)waits);
    cr_expect(notifies == barriers + taken_back + counts, "%s: %llu notifies", c->name,
              (unsigned long long)notifies);
    cr_expect(flushes == (c->drops ? waits : 0), "%s: %llu flushes", c->name,
              (unsigned long long)flushes);
}

Test(host_builtin, computes_what_it_should)
{
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct program *p = compiled(&a, &collectives[i]);
        const struct contract *sc = contract_load(&a, "models", "sc", &d);
        struct oracle *o = oracle_new(p);
        struct machine *m =
            machine_new(p, sc, (struct machine_options){.oracle = o, .kernel = true});
        struct drive_options drive = {.seed = 1, .max_transitions = 1000 * 1000};
        struct drive_result result = {0};
        machine_reset(m);
        drive_timed(m, &drive, &result);
        oracle_finish(o, m);
        int n;
        const struct finding *f = oracle_findings(o, &n);
        cr_expect(n == 0, "%s: %s at %s", collectives[i].name, n ? verdict_name(f[0].verdict) : "",
                  n ? program_where(p, f[0].addr, &a) : "");
        check_memory(&collectives[i], m);
        check_counts(&collectives[i], m);
        machine_free(m);
        oracle_free(o);
        arena_free(&a);
    }
}

/* Counts are clamped to the rows that a block may hold: 2. */
Test(host_builtin, exchange_of_blocks_tells_how_many_rows_count)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct collective *c = collectives;
    while (strcmp(c->name, "exchange of blocks"))
        c++;
    const struct program *p = compiled(&a, c);
    struct machine *m =
        machine_new(p, contract_load(&a, "models", "sc", &d), (struct machine_options){0});
    struct drive_options drive = {.seed = 1};
    struct drive_result result = {0};
    machine_reset(m);
    drive_timed(m, &drive, &result);
    for (int rank = 0; rank < RANKS; rank++)
        for (int from = 0; from < RANKS; from++) {
            int32_t got, want = x(RANKS, from, rank) < 2 ? x(RANKS, from, rank) : 2;
            memcpy(&got, m->gm[rank] + region(p, "gets")->offset + 4 * (size_t)from, sizeof got);
            cr_expect_eq(got, want);
        }
    machine_free(m);
    arena_free(&a);
}
