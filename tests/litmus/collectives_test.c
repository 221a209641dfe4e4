/* SPDX-License-Identifier: MIT */
/*
 * The collectives that kernels call, as LowerCompositeOps makes them: what every rank ends up with,
 * what is found in them, and how many flushes they cost (pypto-facts 5.4, 5.5).
 */
#include "base/rng.h"
#include "base/strbuf.h"
#include "tests/litmus/trial.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { MAX_KINDS = 3, MAX_ROWS = 2, SEEDS = 60 };

/* ---- sizes ---- */

struct size {
    int ranks, n; /* n: elements, or those of a row */
    bool half;    /* FP16, or FP32 */
    const char *op;
    bool symbolic; /* the compiler is not told how many */
};

/* Width of a tile that stages the input and reads the result. */
static int width(const struct size *s)
{
    return s->n > 256 ? 1024 : s->half ? 16 : 8;
}

/* Puts the numbers of a size in the place of $P (ranks), $N, $T (element type), $O (operator), $R
 * (rounds of a ring), $W and $M (all rows of all_to_all_v), and $N's name if it has one. */
static const char *filled_in(struct arena *a, const char *text, const struct size *s)
{
    struct strbuf b = strbuf_make(a);
    for (; *text; text++) {
        if (*text != '$') {
            strbuf_addn(&b, text, 1);
            continue;
        }
        char c = *++text;
        if (c == 'T' || c == 'O' || (c == 'N' && s->symbolic))
            strbuf_add(&b, c == 'O' ? s->op : c == 'N' ? "N" : s->half ? "FP16" : "FP32");
        else
            strbuf_addf(&b, "%d",
                        c == 'P'   ? s->ranks
                        : c == 'N' ? s->n
                        : c == 'R' ? 2 * (s->ranks - 1)
                        : c == 'W' ? width(s)
                                   : MAX_ROWS * s->ranks);
    }
    return b.text;
}

/* ---- what each rank ends up with ---- */

/* Element i of x on a rank (docs/kernels.md). */
static double input(int i, int rank)
{
    return (5 * i + 3 * rank) % 7 + 1;
}

static double rounded(const struct size *s, double x)
{
    return s->half ? (double)(_Float16)x : (double)(float)x;
}

/* What a rank puts into its window when the call takes its input from there: no sum or product of
 * these is exact, so that results tell the order. */
static double staged(const struct size *s, int i, int rank)
{
    return rounded(s, input(i, rank) * rounded(s, 0.1));
}

static double reduce(const struct size *s, double x, double y)
{
    return !strcmp(s->op, "Sum")    ? rounded(s, x + y)
           : !strcmp(s->op, "Prod") ? rounded(s, x * y)
           : !strcmp(s->op, "Max")  ? (x > y ? x : y)
                                    : (x < y ? x : y);
}

/* The own element, then those of the other ranks in their order (pypto-facts 5.4). */
static double reduced(const struct size *s, int rank, int i)
{
    double all = staged(s, i, rank);
    for (int peer = 0; peer < s->ranks; peer++)
        if (peer != rank)
            all = reduce(s, all, staged(s, i, peer));
    return all;
}

static double of_allreduce(const struct size *s, int rank, int i)
{
    return reduced(s, rank, i);
}

/* Where segment k of a ring begins: FP16 segments at multiples of 16 elements. */
static int boundary(const struct size *s, int k)
{
    int even = k * s->n / s->ranks, aligned = (k * s->n + 16 * s->ranks - 1) / (16 * s->ranks) * 16;
    return s->half ? aligned < s->n ? aligned : s->n : even;
}

/* Segment k starts on rank k + 1 and goes around to rank k. */
static double of_ring(const struct size *s, int rank, int i)
{
    int k = 0;
    (void)rank;
    while (i >= boundary(s, k + 1))
        k++;
    double all = staged(s, i, (k + 1) % s->ranks);
    for (int step = 2; step <= s->ranks; step++)
        all = reduce(s, all, staged(s, i, (k + step) % s->ranks));
    return all;
}

/* A second sum of what the ranks have behind the first one: each its own rounded sum. */
static double of_two_allreduces(const struct size *s, int rank, int i)
{
    double all = reduced(s, rank, i);
    for (int peer = 0; peer < s->ranks; peer++)
        if (peer != rank)
            all = rounded(s, all + reduced(s, peer, i));
    return all;
}

static double of_two_rings(const struct size *s, int rank, int i)
{
    double one = of_ring(s, rank, i), all = one;
    for (int step = 1; step < s->ranks; step++)
        all = rounded(s, all + one);
    return all;
}

/* Rows of all ranks: the own one is reduced. */
static double of_reduce_scatter(const struct size *s, int rank, int i)
{
    return i / s->n == rank ? reduced(s, rank, i) : staged(s, i, rank);
}

static double of_broadcast(const struct size *s, int rank, int i)
{
    (void)rank;
    return staged(s, i, 1);
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

static double all_zero(const struct size *s, int rank, int i)
{
    (void)s, (void)rank, (void)i;
    return 0;
}

/* A rectangle of the first row but one column of each row: what is not valid stays. */
static double of_part(const struct size *s, int rank, int i)
{
    return i / 8 < 2 && i % 8 < 5 ? reduced(s, rank, i) : staged(s, i, rank);
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

/* As many as of one, twice. */
static int two_rings(const struct size *s)
{
    return 2 * ring(s);
}

static int seven(const struct size *s)
{
    (void)s;
    return 7;
}

/* ---- publish markers of all ranks together (pypto-facts 5.5) ---- */

/* One store on each rank, ... */
static int each_rank(const struct size *s)
{
    return s->ranks;
}

/* ... one transfer to each rank, ... */
static int each_pair(const struct size *s)
{
    return s->ranks * s->ranks;
}

/* ... or one store of each chunk. */
static int each_chunk(const struct size *s)
{
    return s->ranks * chunks(s, s->n);
}

/* In each round of both halves each segment is stored on one rank; an empty one on none. */
static int each_segment(const struct size *s)
{
    int stores = 0;
    for (int k = 0; k < s->ranks; k++)
        stores += chunks(s, boundary(s, k + 1) - boundary(s, k));
    return 2 * (s->ranks - 1) * stores;
}

static int twice_each_segment(const struct size *s)
{
    return 2 * each_segment(s);
}

static int twice_each_rank(const struct size *s)
{
    return 2 * s->ranks;
}

/* A reduce_scatter, an allreduce and an all_to_all. */
static int two_and_each_pair(const struct size *s)
{
    return twice_each_rank(s) + each_pair(s);
}

/* ---- the collectives ---- */

#define RACE    "race"
#define OVERRUN "overrun read"
#define LOST    "lost write, overwritten by write-back"

/* Element i of a tensor of a rank after the call. */
typedef double element_fn(const struct size *s, int rank, int i);

/* A kernel that puts its input x into its window w, unless the call takes it from there, calls the
 * collective, and reads the window into out. */
static const struct collective {
    const char *name;
    const char *rows, *cols; /* of the window and of out; NULL: no data at all */
    const char *input;       /* rows of x; NULL: the window's, and x is put there first */
    const char *view;        /* in the type of the window */
    const char *cells;       /* the signal's shape */
    const char *more;        /* parameters */
    const char *calls;
    element_fn *window, *signal, *got;
    int (*barriers)(const struct size *s);
    int (*publishes)(const struct size *s); /* markers of the rules W1 to W3; NULL: none */
    int resets;                             /* notifies to oneself, for each peer */
    int rounds;                             /* ... and for each row of a ring's signal */
    bool of_any_size;                       /* also of one that the compiler does not know */
    int counts;                             /* notifies of counts, for each rank */
    const char *found[MAX_KINDS];           /* with all markers, ptoas-0.57 */
    const char *with_drain[MAX_KINDS];      /* the same with proposed-drain */
} collectives[] = {
    {.name = "barrier",
     .cells = "[$P, 1]",
     .calls = "return pld.tensor.barrier(sig)\n",
     .signal = all_zero,
     .barriers = one,
     .resets = 1},
    /* the root copies its window onto itself while others read it */
    {.name = "broadcast",
     .rows = "3",
     .cols = "$N",
     .cells = "[$P, 1]",
     .calls = "w = pld.tensor.broadcast(w, sig, root=1)\n",
     .window = of_broadcast,
     .signal = all_zero,
     .barriers = one,
     .publishes = each_rank,
     .resets = 1,
     .found = {RACE},
     .with_drain = {RACE}},
    {.name = "allgather",
     .rows = "$P",
     .cols = "$N",
     .input = "1",
     .cells = "[$P, 1]",
     .calls = "pld.tensor.allgather(x, w, sig)\n",
     .window = of_allgather,
     .signal = all_zero,
     .barriers = one,
     .publishes = each_pair,
     .resets = 1},
    {.name = "all_to_all",
     .rows = "$P",
     .cols = "$N",
     .input = "$P",
     .cells = "[$P, 1]",
     .calls = "w = pld.tensor.all_to_all(x, w, sig)\n",
     .window = of_all_to_all,
     .signal = all_zero,
     .barriers = one,
     .publishes = each_pair,
     .resets = 1},
    /* counts of all senders are set on one line */
    {.name = "all_to_all_v",
     .rows = "$M",
     .cols = "$N",
     .input = "$M",
     .cells = "[$P, 1]",
     .more = ", send: pl.Tensor[[$P], pl.INT32], "
             "got: pl.InOut[pld.DistributedTensor[[$P, 1], pl.INT32]]",
     .calls = "w = pld.tensor.all_to_all_v(x, w, sig, send, got)\n",
     .window = of_all_to_all_v,
     .signal = all_zero,
     .got = of_counts,
     .barriers = one,
     .publishes = each_pair,
     .resets = 1,
     .counts = 1,
     .found = {LOST},
     .with_drain = {LOST}},
    {.name = "reduce_scatter",
     .rows = "$P",
     .cols = "$N",
     .cells = "[$P, 1]",
     .calls = "w = pld.tensor.reduce_scatter(w, sig, op=pld.ReduceOp.Sum)\n",
     .window = of_reduce_scatter,
     .signal = all_zero,
     .barriers = two,
     .publishes = each_rank,
     .resets = 1},
    /* nothing keeps the read-complete credit behind the load */
    {.name = "allreduce",
     .rows = "1",
     .cols = "$N",
     .cells = "[$P, 1]",
     .calls = "w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.$O)\n",
     .window = of_allreduce,
     .signal = all_zero,
     .barriers = mesh,
     .publishes = each_chunk,
     .resets = 1,
     .of_any_size = true,
     .found = {OVERRUN}},
    {.name = "allreduce of a part",
     .rows = "4",
     .cols = "8",
     .view = ", pl.TensorView(valid_shape=[2, 5], layout=pl.TensorLayout.ND)",
     .cells = "[$P, 1]",
     .calls = "w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.$O)\n",
     .window = of_part,
     .signal = all_zero,
     .barriers = two,
     .publishes = each_rank,
     .resets = 1,
     .found = {OVERRUN}},
    {.name = "allreduce in a ring",
     .rows = "1",
     .cols = "$N",
     .cells = "[$R, $P]",
     .calls = "w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.$O, mode='ring')\n",
     .window = of_ring,
     .signal = all_zero,
     .barriers = ring,
     .publishes = each_segment,
     .rounds = 1,
     .of_any_size = true},
    {.name = "rings that share a signal",
     .rows = "1",
     .cols = "$N",
     .cells = "[$R, $P]",
     .calls = "for call in pl.range(2):\n"
              "            w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.Sum, mode='ring')\n",
     .window = of_two_rings,
     .signal = all_zero,
     .barriers = two_rings,
     .publishes = twice_each_segment,
     .rounds = 2},
    {.name = "collectives of all kinds that share a signal",
     .rows = "$P",
     .cols = "$N",
     .input = "$P",
     .cells = "[$P, 1]",
     .more = ", v: pl.InOut[pld.DistributedTensor[[$P, $N], pl.$T]], "
             "u: pl.InOut[pld.DistributedTensor[[$P, $N], pl.$T]]",
     .calls = "pld.tensor.barrier(sig)\n"
              "        pld.tensor.reduce_scatter(v, sig, op=pld.ReduceOp.Sum)\n"
              "        pld.tensor.allreduce(u, sig, op=pld.ReduceOp.Sum)\n"
              "        pld.tensor.barrier(sig)\n"
              "        pld.tensor.all_to_all(x, w, sig)\n",
     .window = of_all_to_all,
     .signal = all_zero,
     .barriers = seven,
     .publishes = two_and_each_pair,
     .resets = 5,
     .found = {OVERRUN}},
    /* each call leaves the signal as it was */
    {.name = "calls that share a signal",
     .rows = "1",
     .cols = "$N",
     .cells = "[$P, 1]",
     .calls = "for call in pl.range(2):\n"
              "            w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.Sum)\n"
              "            if call == 1:\n"
              "                pld.tensor.barrier(sig)\n",
     .window = of_two_allreduces,
     .signal = all_zero,
     .barriers = five,
     .publishes = twice_each_rank,
     .resets = 3,
     .found = {OVERRUN}},
};

/* Rows of one tensor to another, in tiles that fill a row's end. */
static void add_copy(struct strbuf *b, const struct collective *c, const char *from, const char *to,
                     const char *scaled)
{
    strbuf_addf(b,
                "        for r in pl.range(%s):\n"
                "            for c in pl.range(0, %s, $W):\n"
                "                t = pl.load(%s, [r, c], [1, $W], [1, pl.min($W, %s - c)])\n"
                "                %s = pl.store(%s, [r, c], %s)\n",
                c->rows, c->cols, from, c->cols, to, scaled, to);
}

/* called: with the collective, or with what stands around it alone. */
static const char *text_with(struct arena *a, const struct collective *c, const struct size *s,
                             bool called)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, "import pypto.language as pl\n"
                   "import pypto.language.distributed as pld\n"
                   "N = pl.dynamic('N')\n\n\n"
                   "@pl.function(type=pl.FunctionType.InCore)\n"
                   "def k(");
    if (c->rows)
        strbuf_addf(&b,
                    "x: pl.Tensor[[%s, %s], pl.$T], out: pl.Out[pl.Tensor[[%s, %s], pl.$T]], "
                    "w: pl.InOut[pld.DistributedTensor[[%s, %s], pl.$T%s]], ",
                    c->input ? c->input : c->rows, c->cols, c->rows, c->cols, c->rows, c->cols,
                    c->view ? c->view : "");
    strbuf_addf(&b, "sig: pl.InOut[pld.DistributedTensor[%s, pl.INT32]]%s):\n", c->cells,
                c->more ? c->more : "");
    if (c->rows && !c->input)
        add_copy(&b, c, "x", "w", "pl.mul(t, 0.1)");
    strbuf_addf(&b, "        %s", called ? c->calls : "pass\n");
    if (c->rows)
        add_copy(&b, c, "w", "out", "t");
    return filled_in(a, b.text, s);
}

static const char *text_of(struct arena *a, const struct collective *c, const struct size *s)
{
    return text_with(a, c, s, true);
}

static struct trial trial_of(struct arena *a, const struct collective *c, const struct size *s)
{
    return (struct trial){.kernel = c->name,
                          .text = text_of(a, c, s),
                          .model = "a2a3",
                          .toolchain = "ptoas-0.57",
                          .nranks = s->ranks,
                          .seeds = 1,
                          .args = {s->symbolic ? arena_printf(a, "N=%d", s->n) : NULL}};
}

/* ---- results ---- */

struct result {
    const char *tensor;
    element_fn *element; /* NULL: there is no such tensor */
};

static void expect_tensor(const struct trial_memory *m, const struct size *s,
                          const struct result *r, int rank)
{
    struct arena a = {0};
    size_t count, wrong = 0;
    const double *x = trial_tensor(&a, m, r->tensor, rank, &count);
    cr_expect(count > 0);
    for (size_t i = 0; i < count; i++) {
        double want = r->element(s, rank, (int)i);
        if (x[i] != want && wrong++ == 0)
            cr_expect(false, "%s P=%d N=%d %s %s: %s[%zu]@%d is %g, expected %g", m->program->name,
                      s->ranks, s->n, s->half ? "FP16" : "FP32", s->op, r->tensor, i, rank, x[i],
                      want);
    }
    arena_free(&a);
}

static void expect_results(const struct collective *c, const struct size *s)
{
    const struct result results[] = {
        {"w", c->window}, {"out", c->window}, {"sig", c->signal}, {"got", c->got}};
    struct arena a = {0};
    struct trial t = trial_of(&a, c, s);
    const struct trial_memory m = trial_memory(&a, &t);
    for (size_t k = 0; k < COUNT(results); k++)
        for (int rank = 0; results[k].element && rank < s->ranks; rank++)
            expect_tensor(&m, s, &results[k], rank);
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
                    struct size s = {ranks, elements[n], half, "Sum", false};
                    bool root = ranks > 1 || strcmp(collectives[c].name, "broadcast");
                    if (root && (ranks > 1 || !collectives[c].rounds))
                        expect_results(&collectives[c], &s);
                }
}

Test(collectives, reduce_with_every_operator)
{
    static const char *const operators[] = {"Sum", "Max", "Min", "Prod"};
    for (size_t c = 0; c < COUNT(collectives); c++)
        for (size_t k = 0; k < COUNT(operators); k++)
            for (int half = 0; half < 2; half++) {
                struct size s = {3, 19, half, operators[k], false};
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
        {"allreduce", {2, 4096, false, "Sum", false}},
        {"allreduce", {2, 4097, false, "Sum", false}},
        {"allreduce", {3, 9000, false, "Max", false}},
        {"allreduce", {2, 8193, true, "Sum", false}},
        {"allreduce in a ring", {2, 8200, false, "Sum", false}},
        {"allreduce in a ring", {2, 16411, true, "Min", false}},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t c = 0; c < COUNT(collectives); c++)
            if (!strcmp(collectives[c].name, rows[i].name))
                expect_results(&collectives[c], &rows[i].size);
}

/* ---- random ones ---- */

enum { SAMPLES = 150, LONGEST = 100 };

/* Where operators, types and odd sizes meet ranks; a fixed seed, so that each run tries the same. */
Test(collectives, give_the_right_results_of_random_sizes, .timeout = 300)
{
    static const char *const operators[] = {"Sum", "Max", "Min", "Prod"};
    static const int ranks[] = {2, 3, 4, 8};
    struct rng r = rng_make(9, 0);
    for (int k = 0; k < SAMPLES; k++) {
        const struct collective *c = &collectives[rng_below(&r, COUNT(collectives))];
        struct size s = {.ranks = ranks[rng_below(&r, COUNT(ranks))],
                         .n = 1 + (int)rng_below(&r, LONGEST),
                         .half = rng_below(&r, 2),
                         .op = operators[rng_below(&r, COUNT(operators))]};
        s.symbolic = rng_below(&r, 2) && c->of_any_size;
        s.op = strstr(c->calls, "$O") ? s.op : "Sum";
        expect_results(c, &s);
    }
}

/* ---- findings ---- */

static bool listed(const char *const list[MAX_KINDS], const char *kind)
{
    for (int i = 0; i < MAX_KINDS && list[i]; i++)
        if (!strcmp(list[i], kind))
            return true;
    return false;
}

/* All that is listed shows at some size, and nothing else. t: without kernel, ranks and seeds. */
static void expect_found(const struct collective *c, const struct trial *how,
                         const char *const expected[MAX_KINDS])
{
    struct outcome o = {0};
    struct arena a = {0};
    for (int ranks = 2; ranks <= 4; ranks++) {
        const struct size s = {ranks, 17, ranks == 3, "Sum", false};
        struct trial t = *how;
        t.kernel = c->name;
        t.text = text_of(&a, c, &s);
        t.nranks = ranks;
        t.seeds = SEEDS;
        trial_run(&t, &o);
    }
    for (int i = 0; i < MAX_KINDS && expected[i]; i++)
        cr_expect(outcome_has_kind(&o, expected[i]), "%s %s %s: expected '%s', found: %s", c->name,
                  how->model, how->toolchain, expected[i], outcome_text(&o));
    vec_foreach (const char *, kind, &o.kinds)
        cr_expect(listed(expected, *kind), "%s %s %s: '%s' must not occur", c->name, how->model,
                  how->toolchain, *kind);
    cr_expect(o.checked > 0, "%s: no access was judged", c->name);
    outcome_free(&o);
    arena_free(&a);
}

Test(collectives, findings, .timeout = 120)
{
    for (size_t c = 0; c < COUNT(collectives); c++)
        for (int batched = 0; batched < 2; batched++) {
            struct trial t = {.model = "a2a3",
                              .toolchain = "ptoas-0.57",
                              .batch = batched ? PASS_BATCH_LOOPS : PASS_BATCH_NONE};
            expect_found(&collectives[c], &t, collectives[c].found);
        }
}

/* A drain in front of each notify closes what a marker can close, whatever the contract. */
Test(collectives, findings_with_a_drain, .timeout = 120)
{
    static const char *const models[] = {"a2a3", "a2a3-blocking", "a2a3-fifo", "a2a3-evict",
                                         "weakest"};
    for (size_t c = 0; c < COUNT(collectives); c++)
        for (size_t m = 0; m < COUNT(models); m++) {
            struct trial t = {
                .model = models[m], .toolchain = "proposed-drain", .batch = PASS_BATCH_LOOPS};
            expect_found(&collectives[c], &t, collectives[c].with_drain);
        }
}

/* The data are what the markers are for: without them each collective
 * that moves any reads stale. */
Test(collectives, without_markers, .timeout = 120)
{
    for (size_t c = 0; c < COUNT(collectives); c++) {
        struct arena a = {0};
        struct outcome o = {0};
        const struct size s = {2, 17, false, "Sum", false};
        struct trial t = trial_of(&a, &collectives[c], &s);
        t.markers_off = true;
        t.seeds = SEEDS;
        trial_run(&t, &o);
        cr_expect((o.found[V_STALE_READ] > 0) == (c > 0), "%s: %s", t.kernel, outcome_text(&o));
        outcome_free(&o);
        arena_free(&a);
    }
}

/* ---- flushes ---- */

/* What the call itself publishes: without it, what stands around it does. */
static void expect_publishes(const struct collective *k, const struct size *s)
{
    struct arena a = {0};
    struct outcome with = {0}, without = {0};
    struct trial t = trial_of(&a, k, s);
    t.typical = true;
    trial_run(&t, &with);
    t.text = text_with(&a, k, s, false);
    trial_run(&t, &without);
    uint64_t want = k->publishes ? (uint64_t)k->publishes(s) : 0;
    cr_expect(with.publishes - without.publishes == want,
              "%s P=%d N=%d: expected %llu publish markers, got %llu", k->name, s->ranks, s->n,
              (unsigned long long)want, (unsigned long long)(with.publishes - without.publishes));
    outcome_free(&with);
    outcome_free(&without);
    arena_free(&a);
}

static void expect_counts(const struct collective *k, const struct size *s, bool batched)
{
    struct arena a = {0};
    struct outcome o = {0};
    struct trial t = trial_of(&a, k, s);
    t.typical = true;
    t.batch = batched ? PASS_BATCH_LOOPS : PASS_BATCH_NONE;
    trial_run(&t, &o);
    uint64_t peers = (uint64_t)s->ranks - 1, barriers = (uint64_t)k->barriers(s),
             waits = barriers * peers,
             resets = ((uint64_t)k->resets + 2 * peers * (uint64_t)k->rounds) * peers,
             counts = k->counts ? (uint64_t)s->ranks : 0;
    cr_expect(o.core.all_equal && o.core.waits == waits &&
                  o.core.flushes == (batched ? barriers : waits) &&
                  o.core.notifies == waits + resets + counts,
              "%s P=%d N=%d %s: %llu waits, %llu flushes, %llu notifies", k->name, s->ranks, s->n,
              batched ? "batched" : "per wait", (unsigned long long)o.core.waits,
              (unsigned long long)o.core.flushes, (unsigned long long)o.core.notifies);
    if (!batched) /* which touches waits only */
        expect_publishes(k, s);
    outcome_free(&o);
    arena_free(&a);
}

Test(collectives, flushes_equal_the_closed_forms, .timeout = 120)
{
    for (size_t c = 0; c < COUNT(collectives); c++)
        for (int ranks = 2; ranks <= 8; ranks++)
            for (int batched = 0; batched < 2; batched++) {
                const struct size s = {ranks, 17, ranks % 2, "Sum", false};
                expect_counts(&collectives[c], &s, batched);
            }
}

/* Up to four chunks, of a mesh and of each segment of a ring. */
Test(collectives, flushes_of_chunks_equal_the_closed_forms, .timeout = 300)
{
    static const struct {
        int ranks, chunks;
        bool half;
    } rows[] = {{2, 2, false}, {2, 4, false}, {2, 2, true},  {3, 3, false},
                {4, 2, false}, {4, 3, true},  {8, 2, false}, {8, 2, true}};
    for (size_t c = 0; c < COUNT(collectives); c++)
        for (size_t i = 0; i < COUNT(rows); i++)
            for (int batched = 0; batched < 2 && collectives[c].of_any_size; batched++) {
                int chunk = rows[i].half ? 8192 : 4096,
                    n = (rows[i].chunks - 1) * chunk + (rows[i].half ? 33 : 5);
                bool segments = collectives[c].rounds;
                const struct size s = {rows[i].ranks, segments ? n * rows[i].ranks : n,
                                       rows[i].half, "Sum", (i + (size_t)batched) % 2};
                cr_assert_eq(collectives[c].barriers(&s),
                             segments ? 4 * (s.ranks - 1) * rows[i].chunks : 1 + rows[i].chunks);
                expect_counts(&collectives[c], &s, batched);
            }
}
