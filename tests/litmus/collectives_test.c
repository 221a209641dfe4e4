/* SPDX-License-Identifier: MIT */
/*
 * The collectives that kernels call, as LowerCompositeOps makes them: what every rank ends up with,
 * what is found in them, and how many flushes they cost (pypto-facts 5.4, 5.5).
 */
#include "base/strbuf.h"
#include "tests/litmus/trial.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { MAX_KINDS = 3, MAX_ROWS = 2 };

/* ---- programs ---- */

struct size {
    int ranks, n; /* n: elements, or those of a row */
    bool half;    /* FP16, or FP32 */
    const char *op;
};

/* Puts the numbers of a size in the place of $P (ranks), $N, $T (element type), $OP, $R (rounds of
 * a ring), $W (width of a tile that stages the input) and $M (rows for each rank of all_to_all_v).
 */
static const char *filled_in(struct arena *a, const char *text, const struct size *s)
{
    struct strbuf b = strbuf_make(a);
    int width = s->n > 256 ? 1024 : s->half ? 16 : 8;
    for (; *text; text++) {
        if (*text != '$') {
            strbuf_addn(&b, text, 1);
            continue;
        }
        switch (*++text) {
        case 'P':
            strbuf_addf(&b, "%d", s->ranks);
            break;
        case 'N':
            strbuf_addf(&b, "%d", s->n);
            break;
        case 'T':
            strbuf_add(&b, s->half ? "FP16" : "FP32");
            break;
        case 'O':
            strbuf_add(&b, s->op);
            break;
        case 'R':
            strbuf_addf(&b, "%d", 2 * (s->ranks - 1));
            break;
        case 'W':
            strbuf_addf(&b, "%d", width);
            break;
        default:
            strbuf_addf(&b, "%d", *text == 'M' ? MAX_ROWS * s->ranks : MAX_ROWS);
            break;
        }
    }
    return b.text;
}

#define HEAD(params)                                                                               \
    "import pypto.language as pl\n"                                                                \
    "import pypto.language.distributed as pld\n"                                                   \
    "@pl.program\n"                                                                                \
    "class C:\n"                                                                                   \
    "    @pl.function(type=pl.FunctionType.InCore)\n"                                              \
    "    def k(self, " params "):\n"
#define PLAIN(name, shape)  name ": pl.Tensor[" shape ", pl.$T]"
#define WINDOW(name, shape) name ": pl.InOut[pld.DistributedTensor[" shape ", pl.$T]]"
#define CELLS(name, shape)  name ": pl.InOut[pld.DistributedTensor[" shape ", pl.INT32]]"
#define SIGNAL              CELLS("sig", "[$P, 1]")
/* Rows of x to the window, as wide as they are. */
#define STAGE(rows)                                                                                \
    "        for r in pl.range(" rows "):\n"                                                       \
    "            for c in pl.range(0, $N, $W):\n"                                                  \
    "                t = pl.load(x, [r, c], [1, $W], [1, pl.min($W, $N - c)])\n"                   \
    "                w = pl.store(t, [r, c], w)\n"

/* Element i of x on a rank (docs/kernels.md). */
static double input(int i, int rank)
{
    return (5 * i + 3 * rank) % 7 + 1;
}

static double reduced(const struct size *s, int i)
{
    double all = input(i, 0);
    for (int rank = 1; rank < s->ranks; rank++) {
        double x = input(i, rank);
        all = !strcmp(s->op, "Sum")    ? all + x
              : !strcmp(s->op, "Prod") ? all * x
              : !strcmp(s->op, "Max")  ? (x > all ? x : all)
                                       : (x < all ? x : all);
    }
    return all;
}

static double of_allreduce(const struct size *s, int rank, int i)
{
    (void)rank;
    return reduced(s, i);
}

/* The sum of as many equal sums as there are ranks. */
static double of_two_allreduces(const struct size *s, int rank, int i)
{
    (void)rank;
    return s->ranks * reduced(s, i);
}

/* Rows of all ranks: the own one is reduced. */
static double of_reduce_scatter(const struct size *s, int rank, int i)
{
    return i / s->n == rank ? reduced(s, i) : input(i, rank);
}

static double of_broadcast(const struct size *s, int rank, int i)
{
    (void)s, (void)rank;
    return input(i, 1);
}

static double of_allgather(const struct size *s, int rank, int i)
{
    (void)rank;
    return input(i % s->n, i / s->n);
}

static double of_all_to_all(const struct size *s, int rank, int i)
{
    return input(rank * s->n + i % s->n, i / s->n);
}

static double of_all_to_all_v(const struct size *s, int rank, int i)
{
    int block = MAX_ROWS * s->n;
    return input(rank * block + i % block, i / block);
}

/* What each rank asked to send, cut to what there is room for. */
static double of_counts(const struct size *s, int rank, int i)
{
    (void)s;
    double asked = input(rank, i);
    return asked < MAX_ROWS ? asked : MAX_ROWS;
}

static double of_signal(const struct size *s, int rank, int i)
{
    (void)s, (void)rank, (void)i;
    return 0;
}

/* A rectangle of the first row but one column of each row: what is not valid stays. */
static double of_part(const struct size *s, int rank, int i)
{
    return i / 8 < 2 && i % 8 < 5 ? reduced(s, i) : input(i, rank);
}

/* ---- flushes: barriers, waits and notifies of one call (pypto-facts 5.5) ---- */

static int chunks(const struct size *s, int n)
{
    int most = s->half ? 8192 : 4096;
    return (n + most - 1) / most;
}

static int one(const struct size *s)
{
    (void)s;
    return 1;
}

static int two(const struct size *s)
{
    (void)s;
    return 2;
}

static int five(const struct size *s)
{
    (void)s;
    return 5;
}

static int mesh(const struct size *s)
{
    return 1 + chunks(s, s->n);
}

/* FP16 segments begin at multiples of 16 elements, and may so be longer by 15. */
static int ring(const struct size *s)
{
    int segment = (s->n + s->ranks - 1) / s->ranks, longest = segment + (s->half ? 15 : 0);
    return 4 * (s->ranks - 1) * chunks(s, longest < s->n ? longest : s->n);
}

/* ---- the collectives ---- */

#define RACE    "race"
#define OVERRUN "overrun read"
#define ERASED  "stale read, overwritten by write-back"
#define LOST    "lost write, overwritten by write-back"

static const struct collective {
    const char *name, *text;
    struct {
        const char *tensor;
        double (*element)(const struct size *s, int rank, int i);
    } results[2];
    int (*barriers)(const struct size *s);
    int resets;                   /* notifies to oneself, for each peer; 0: as many as a ring's */
    int counts;                   /* notifies of counts, for each rank */
    const char *found[MAX_KINDS]; /* with all markers, ptoas-0.57 */
    const char *with_drain[MAX_KINDS]; /* the same with proposed-drain */
} collectives[] = {
    {"barrier",
     HEAD(SIGNAL) "        sig = pld.tensor.barrier(sig)\n",
     {{"sig", of_signal}},
     one,
     1,
     0,
     {0},
     {0}},
    {"broadcast",
     HEAD(PLAIN("x", "[3, $N]") ", " WINDOW("w", "[3, $N]") ", " SIGNAL)
         STAGE("3") "        w = pld.tensor.broadcast(w, sig, root=1)\n",
     {{"w", of_broadcast}, {"sig", of_signal}},
     one,
     1,
     0,
     /* the root copies its window onto itself while others read it */
     {RACE},
     {RACE}},
    {"allgather",
     HEAD(PLAIN("x", "[1, $N]") ", " WINDOW(
         "w", "[$P, $N]") ", " SIGNAL) "        pld.tensor.allgather(x, w, sig)\n",
     {{"w", of_allgather}, {"sig", of_signal}},
     one,
     1,
     0,
     {0},
     {0}},
    {"all_to_all",
     HEAD(PLAIN("x", "[$P, $N]") ", " WINDOW(
         "w", "[$P, $N]") ", " SIGNAL) "        return pld.tensor.all_to_all(x, w, sig)\n",
     {{"w", of_all_to_all}, {"sig", of_signal}},
     one,
     1,
     0,
     {0},
     {0}},
    {"all_to_all_v",
     HEAD(PLAIN("x", "[$M, $N]") ", " WINDOW(
         "w",
         "[$M, $N]") ", " SIGNAL
                     ", send: pl.Tensor[[$P], pl.INT32], " CELLS(
                         "got",
                         "[$P, 1]")) "        w = pld.tensor.all_to_all_v(x, w, sig, send, got)\n",
     {{"w", of_all_to_all_v}, {"got", of_counts}},
     one,
     1,
     1,
     /* counts of all senders are set on one line */
     {LOST},
     {LOST}},
    {"reduce_scatter",
     HEAD(PLAIN("x", "[$P, $N]") ", " WINDOW("w", "[$P, $N]") ", " SIGNAL)
         STAGE("$P") "        w = pld.tensor.reduce_scatter(w, sig, op=pld.ReduceOp.$O)\n",
     {{"w", of_reduce_scatter}, {"sig", of_signal}},
     two,
     1,
     0,
     {0},
     {0}},
    {"allreduce",
     HEAD(PLAIN("x", "[1, $N]") ", " WINDOW("w", "[1, $N]") ", " SIGNAL)
         STAGE("1") "        w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.$O)\n",
     {{"w", of_allreduce}, {"sig", of_signal}},
     mesh,
     1,
     0,
     /* nothing keeps the read-complete credit behind the load */
     {OVERRUN},
     {0}},
    {"allreduce of a part",
     HEAD(
         PLAIN("x", "[4, 8]") ", w: pl.InOut[pld.DistributedTensor[[4, 8], pl.$T, "
                              "pl.TensorView(valid_shape=[2, 5], "
                              "layout=pl.TensorLayout.ND)]], " SIGNAL) "        for r in "
                                                                       "pl.range(4):\n"
                                                                       "            t = pl.load(x, "
                                                                       "[r, 0], [1, 8])\n"
                                                                       "            w = "
                                                                       "pl.store(t, [r, 0], w)\n"
                                                                       "        w = "
                                                                       "pld.tensor.allreduce(w, "
                                                                       "sig, op=pld.ReduceOp.$O)\n",
     {{"w", of_part}, {"sig", of_signal}},
     two,
     1,
     0,
     {OVERRUN},
     {0}},
    {"allreduce in a ring",
     HEAD(PLAIN("x", "[1, $N]") ", " WINDOW("w", "[1, $N]") ", " CELLS("sig", "[$R, $P]"))
         STAGE("1") "        w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.$O, mode='ring')\n",
     {{"w", of_allreduce}, {"sig", of_signal}},
     ring,
     0,
     0,
     {0},
     {0}},
    /* one signal for all calls: each leaves it as it was */
    {"calls that share a signal",
     HEAD(PLAIN("x", "[1, $N]") ", " WINDOW("w", "[1, $N]") ", " SIGNAL)
         STAGE("1") "        for call in pl.range(2):\n"
                    "            w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.Sum)\n"
                    "            if call == 1:\n"
                    "                pld.tensor.barrier(sig)\n",
     {{"w", of_two_allreduces}, {"sig", of_signal}},
     five,
     3,
     0,
     {OVERRUN},
     {0}},
};

static struct trial trial_of(struct arena *a, const struct collective *c, const struct size *s)
{
    return (struct trial){.kernel = c->name,
                          .text = filled_in(a, c->text, s),
                          .model = "a2a3",
                          .toolchain = "ptoas-0.57",
                          .nranks = s->ranks,
                          .seeds = 1};
}

/* ---- results ---- */

static void expect_results(const struct collective *c, const struct size *s)
{
    struct arena a = {0};
    struct trial t = trial_of(&a, c, s);
    for (size_t k = 0; k < COUNT(c->results) && c->results[k].tensor; k++)
        for (int rank = 0; rank < s->ranks; rank++) {
            size_t count, wrong = 0;
            const double *x = trial_result(&a, &t, c->results[k].tensor, rank, &count);
            for (size_t i = 0; i < count; i++) {
                double want = c->results[k].element(s, rank, (int)i);
                if (x[i] != want && wrong++ == 0)
                    cr_expect(false, "%s P=%d N=%d %s %s: %s[%zu]@%d is %g, expected %g", c->name,
                              s->ranks, s->n, s->half ? "FP16" : "FP32", s->op,
                              c->results[k].tensor, i, rank, x[i], want);
            }
            cr_expect(count > 0);
        }
    arena_free(&a);
}

/* Of one rank too, but for a ring, which has no rounds then. */
Test(collectives, give_the_right_results, .timeout = 120)
{
    static const int elements[] = {1, 8, 17, 40};
    for (size_t c = 0; c < COUNT(collectives); c++)
        for (int ranks = 1; ranks <= 4; ranks++)
            for (size_t n = 0; n < COUNT(elements); n++)
                for (int half = 0; half < 2; half++) {
                    struct size s = {ranks, elements[n], half, "Sum"};
                    bool root = ranks > 1 || strcmp(collectives[c].name, "broadcast");
                    if (root && (ranks > 1 || collectives[c].resets))
                        expect_results(&collectives[c], &s);
                }
}

Test(collectives, reduce_with_every_operator)
{
    static const char *const operators[] = {"Sum", "Max", "Min", "Prod"};
    for (size_t c = 0; c < COUNT(collectives); c++)
        for (size_t k = 0; k < COUNT(operators); k++)
            for (int half = 0; half < 2; half++) {
                struct size s = {3, 19, half, operators[k]};
                if (!strncmp(collectives[c].name, "allreduce", 9))
                    expect_results(&collectives[c], &s);
            }
}

/* Chunks of 16 KiB, and a last one that is shorter. */
Test(collectives, reduce_in_chunks, .timeout = 120)
{
    static const struct {
        const char *name;
        struct size size;
    } rows[] = {
        {"allreduce", {2, 4096, false, "Sum"}},
        {"allreduce", {2, 4097, false, "Sum"}},
        {"allreduce", {3, 9000, false, "Max"}},
        {"allreduce", {2, 8193, true, "Sum"}},
        {"allreduce in a ring", {2, 8200, false, "Sum"}},
        {"allreduce in a ring", {2, 16411, true, "Min"}},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t c = 0; c < COUNT(collectives); c++)
            if (!strcmp(collectives[c].name, rows[i].name))
                expect_results(&collectives[c], &rows[i].size);
}

/* ---- findings ---- */

static bool listed(const char *const list[MAX_KINDS], const char *kind)
{
    for (int i = 0; i < MAX_KINDS && list[i]; i++)
        if (!strcmp(list[i], kind))
            return true;
    return false;
}

/* All that is listed shows at some size, and nothing else. */
static void expect_found(const struct collective *c, const char *toolchain, enum pass_batch batch,
                         const char *const expected[MAX_KINDS])
{
    struct outcome o = {0};
    struct arena a = {0};
    for (int ranks = 2; ranks <= 4; ranks++) {
        const struct size s = {ranks, 17, ranks == 3, "Sum"};
        struct trial t = trial_of(&a, c, &s);
        t.toolchain = toolchain;
        t.batch = batch;
        t.seeds = 100;
        trial_run(&t, &o);
    }
    for (int i = 0; i < MAX_KINDS && expected[i]; i++)
        cr_expect(outcome_has_kind(&o, expected[i]), "%s %s: expected '%s', found: %s", c->name,
                  toolchain, expected[i], outcome_text(&o));
    vec_foreach (const char *, kind, &o.kinds)
        cr_expect(listed(expected, *kind), "%s %s: '%s' must not occur", c->name, toolchain, *kind);
    cr_expect(o.checked > 0, "%s: no access was judged", c->name);
    outcome_free(&o);
    arena_free(&a);
}

Test(collectives, findings, .timeout = 120)
{
    for (size_t c = 0; c < COUNT(collectives); c++)
        for (int batched = 0; batched < 2; batched++) {
            enum pass_batch batch = batched ? PASS_BATCH_LOOPS : PASS_BATCH_NONE;
            expect_found(&collectives[c], "ptoas-0.57", batch, collectives[c].found);
            expect_found(&collectives[c], "proposed-drain", batch, collectives[c].with_drain);
        }
}

/* ---- flushes ---- */

Test(collectives, flushes_equal_the_closed_forms, .timeout = 120)
{
    for (size_t c = 0; c < COUNT(collectives); c++)
        for (int ranks = 2; ranks <= 8; ranks++)
            for (int batched = 0; batched < 2; batched++) {
                struct arena a = {0};
                struct outcome o = {0};
                const struct collective *k = &collectives[c];
                const struct size s = {ranks, 17, ranks % 2, "Sum"};
                struct trial t = trial_of(&a, k, &s);
                t.typical = true;
                t.batch = batched ? PASS_BATCH_LOOPS : PASS_BATCH_NONE;
                trial_run(&t, &o);
                uint64_t peers = (uint64_t)ranks - 1, barriers = (uint64_t)k->barriers(&s),
                         waits = barriers * peers,
                         resets = k->resets ? (uint64_t)k->resets * peers : 2 * peers * peers,
                         counts = k->counts ? (uint64_t)ranks : 0;
                cr_expect(o.core.all_equal && o.core.waits == waits &&
                              o.core.flushes == (batched ? barriers : waits) &&
                              o.core.notifies == waits + resets + counts,
                          "%s P=%d %s: %llu waits, %llu flushes, %llu notifies", k->name, ranks,
                          batched ? "batched" : "per wait", (unsigned long long)o.core.waits,
                          (unsigned long long)o.core.flushes, (unsigned long long)o.core.notifies);
                outcome_free(&o);
                arena_free(&a);
            }
}
