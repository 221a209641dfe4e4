/* SPDX-License-Identifier: MIT */
/*
 * Whole programs, from the host down (kernels/programs): one for each row of pypto-facts 7 that
 * communicates. What each rank ends up with is told by a reference of its own, bit for bit, for 2,
 * 4 and 8 ranks on the sc contract; the runs under other contracts are compared with that. What is
 * found in each with all markers, and that nothing is in the repaired ones. How often a collective
 * of the host waits and notifies (pypto-facts 5.6).
 */
#include "tests/litmus/trial.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { MAX_KINDS = 3, OUTPUTS = 2, SEEDS = 16, ROW = 16, RING = 128, WIDE = 24 };

static const int rank_counts[] = {2, 4, 8};

/* ---- references: element i of what rank r of n has in its slices of an output ---- */

/* Element i of each tensor of the host (docs/kernels.md). */
static int in(int i)
{
    return 5 * i % 7 + 1;
}

/* The same as the programs that sum floats stage it: no sum of these is exact. */
static float tenth(int i)
{
    return (float)in(i)*0.1f;
}

/* Which word is not written at all, or not by this program's rule. */
#define ANY (-1e30)

/* The own element, then those of the other ranks in their order. */
static double own_first(int n, int r, int i, int stride)
{
    float sum = tenth(r * stride + i);
    for (int p = 0; p < n; p++)
        if (p != r)
            sum += tenth(p * stride + i);
    return (double)sum;
}

static double of_allreduce(int n, int r, int i)
{
    return own_first(n, r, i, WIDE);
}

/* A segment starts on the rank behind the one with its number and ends there. */
static double of_ring(int n, int r, int i)
{
    (void)r;
    int segment = i / (RING / n);
    float sum = tenth((segment + 1) % n * RING + i);
    for (int k = 2; k <= n; k++)
        sum += tenth((segment + k) % n * RING + i);
    return (double)sum;
}

static double of_reduce_scatter(int n, int r, int i)
{
    return own_first(n, r, r * ROW + i, n * ROW);
}

static double of_allgather(int n, int r, int i)
{
    (void)n, (void)r;
    return in(i);
}

/* Row s is what rank s has in its row r. */
static double of_all_to_all(int n, int r, int i)
{
    return in((i / ROW * n + r) * ROW + i % ROW);
}

static int rows_from(int n, int s, int r)
{
    return in(s * n + r) < 2 ? in(s * n + r) : 2;
}

static double of_all_to_all_v(int n, int r, int i)
{
    int s = i / ROW / 2, row = i / ROW % 2;
    return row < rows_from(n, s, r) ? in((s * 2 * n + 2 * r + row) * ROW + i % ROW) : ANY;
}

static double of_counts(int n, int r, int i)
{
    return i % ROW ? ANY : rows_from(n, i / ROW, r);
}

static double of_broadcast(int n, int r, int i)
{
    (void)n, (void)r;
    return in(WIDE + i);
}

static double of_barrier(int n, int r, int i)
{
    return in((r + 1) % n * WIDE + i);
}

static double of_loaded_sum(int n, int r, int i)
{
    return own_first(n, r, i, n * ROW);
}

static double of_loaded_row(int n, int r, int i)
{
    return i < ROW ? of_reduce_scatter(n, r, i) : ANY;
}

static double of_loaded_first_rows(int n, int r, int i)
{
    (void)r;
    return (double)tenth(i / ROW * n * ROW + i % ROW);
}

static double of_loaded_root(int n, int r, int i)
{
    (void)r;
    return (double)tenth(n * ROW + i);
}

static double of_two_exchanges(int n, int r, int i)
{
    return of_all_to_all(n, r, i % (n * ROW));
}

static double of_two_allgathers(int n, int r, int i)
{
    (void)r;
    return in(i % (n * ROW) / ROW * n * ROW + i % ROW);
}

/* The second one is of twice the numbers. The own row is reduced, the others stay. */
static double of_two_reductions(int n, int r, int i)
{
    int word = i % (n * ROW), sum = 0;
    for (int p = 0; p < n; p++)
        sum += in(p * n * ROW + word);
    return (word / ROW == r ? sum : in(r * n * ROW + word)) * (i < n * ROW ? 1 : 2);
}

static int left_of(int n, int r)
{
    return (r + n - 1) % n;
}

static double of_tags(int n, int r, int i)
{
    return i % ROW ? ANY : left_of(n, r) + 1;
}

static double of_rows_from_the_left(int n, int r, int i)
{
    return in(left_of(n, r) * 2 * ROW + i);
}

static double of_second_row_from_the_left(int n, int r, int i)
{
    return i < ROW ? of_rows_from_the_left(n, r, ROW + i) : 0;
}

static double of_rows_added_at_rank_0(int n, int r, int i)
{
    int sum = 0;
    for (int p = 0; p < n && r == 0; p++)
        sum += in(p * 2 * ROW + i);
    return sum;
}

static double of_rows_from_the_right(int n, int r, int i)
{
    return in((r + 1) % n * 2 * ROW + i);
}

static double of_second_row_from_the_right(int n, int r, int i)
{
    return i < ROW ? of_rows_from_the_right(n, r, ROW + i) : 0;
}

static double of_doubled_rows(int n, int r, int i)
{
    return 2 * of_rows_from_the_left(n, r, i);
}

static double of_first_word(int n, int r, int i)
{
    return i ? ANY : of_rows_from_the_left(n, r, 0);
}

static double of_credits(int n, int r, int i)
{
    (void)n, (void)r;
    return i ? ANY : 0;
}

static double of_tokens(int n, int r, int i)
{
    (void)n;
    return 2 * in(r * 4 * ROW + i);
}

/* Two tiles and what is left, reduced like one. */
static double of_allreduce_of_integers(int n, int r, int i)
{
    int sum = 0;
    (void)r;
    for (int p = 0; p < n; p++)
        sum += in(p * 600 + i);
    return sum;
}

/* Of the input of each turn. */
static double of_scattered_integers(int n, int r, int i)
{
    int sum = 0;
    for (int p = 0; p < n; p++)
        sum += in(((i / ROW * n + p) * n + r) * ROW + i % ROW);
    return sum;
}

/* Tokens that are routed to rank r. */
static double of_seen(int n, int r, int i)
{
    int count = 0;
    for (int p = 0; p < n; p++)
        for (int t = 0; t < 4; t++)
            count += in(p * ROW + t) % n == r;
    return i ? ANY : count;
}

/* ---- the programs ---- */

struct output {
    const char *tensor;
    double (*element)(int n, int r, int i);
    int turns; /* slices of each rank */
};

#define OUT(f)                                                                                     \
    {                                                                                              \
        {                                                                                          \
            "out", f, 1                                                                            \
        }                                                                                          \
    }
#define CALL   "HOW=0"
#define HAND   "HOW=1"
#define HOSTED "HOW=2"
#define REPAIR "REPAIR=1"

#define OVERRUN      "overrun read"
#define RACE         "race"
#define LOST         "lost write, overwritten by write-back"
#define STALE_LOST   "stale read, overwritten by write-back"
#define STALE_FLIGHT "stale read, in flight"
#define HANG_LOST    "hang, overwritten by write-back"

static const struct row {
    const char *program, *args[TRIAL_ARGS];
    struct output outputs[OUTPUTS];
    const char *must[MAX_KINDS]; /* found with all markers at some number of ranks; none: clean */
} rows[] = {
    /* The collectives: called by a kernel, written out, called by the host. */
    {"allreduce", {CALL}, OUT(of_allreduce), {OVERRUN}},
    {"allreduce", {HAND}, OUT(of_allreduce), {OVERRUN}},
    {"allreduce", {HAND, REPAIR}, OUT(of_allreduce), {0}},
    {"allreduce", {HOSTED}, OUT(of_allreduce), {OVERRUN}},
    {"allreduce_cores", {HAND}, OUT(of_allreduce_of_integers), {OVERRUN}},
    {"allreduce_cores", {HAND, REPAIR}, OUT(of_allreduce_of_integers), {0}},
    {"allreduce_cores", {HOSTED}, OUT(of_allreduce_of_integers), {OVERRUN}},
    {"allreduce_ring", {CALL}, OUT(of_ring), {0}},
    {"allreduce_ring", {HAND}, OUT(of_ring), {0}},
    {"allreduce_ring", {HOSTED}, OUT(of_ring), {STALE_FLIGHT}},
    {"reduce_scatter", {CALL}, OUT(of_reduce_scatter), {0}},
    {"reduce_scatter", {HAND}, OUT(of_reduce_scatter), {0}},
    {"reduce_scatter", {HOSTED}, OUT(of_reduce_scatter), {0}},
    {"allgather", {CALL}, OUT(of_allgather), {0}},
    {"allgather", {HAND}, OUT(of_allgather), {0}},
    {"allgather", {HOSTED}, OUT(of_allgather), {0}},
    {"all_to_all", {CALL}, OUT(of_all_to_all), {0}},
    {"all_to_all", {HAND}, OUT(of_all_to_all), {0}},
    {"all_to_all", {HOSTED}, OUT(of_all_to_all), {0}},
    {"all_to_all_v",
     {CALL},
     {{"out", of_all_to_all_v, 1}, {"told", of_counts, 1}},
     {LOST, STALE_LOST}},
    {"all_to_all_v",
     {HAND},
     {{"out", of_all_to_all_v, 1}, {"told", of_counts, 1}},
     {LOST, STALE_LOST}},
    {"all_to_all_v", {HAND, REPAIR}, {{"out", of_all_to_all_v, 1}, {"told", of_counts, 1}}, {0}},
    {"all_to_all_v",
     {HOSTED},
     {{"out", of_all_to_all_v, 1}, {"told", of_counts, 1}},
     {LOST, STALE_LOST}},
    {"broadcast", {CALL}, OUT(of_broadcast), {RACE}},
    {"broadcast", {HAND}, OUT(of_broadcast), {RACE}},
    {"broadcast", {HAND, REPAIR}, OUT(of_broadcast), {0}},
    {"broadcast", {HOSTED}, OUT(of_broadcast), {STALE_FLIGHT}},
    {"barrier", {CALL}, OUT(of_barrier), {0}},
    {"barrier", {HAND}, OUT(of_barrier), {0}},
    {"barrier", {HOSTED}, OUT(of_barrier), {0}},
    /* Collectives that every kernel writes for itself. */
    {"by_loads", {"FORM=0"}, OUT(of_loaded_sum), {0}},
    {"by_loads", {"FORM=1"}, OUT(of_loaded_row), {0}},
    {"by_loads", {"FORM=2"}, OUT(of_loaded_first_rows), {0}},
    {"by_loads", {"FORM=3"}, OUT(of_loaded_root), {0}},
    {"set_barrier", {0}, OUT(of_all_to_all), {LOST, HANG_LOST}},
    {"set_barrier", {REPAIR}, OUT(of_all_to_all), {0}},
    /* One signal for two calls. */
    {"twice", {"FORM=0"}, OUT(of_two_exchanges), {0}},
    {"twice", {"FORM=1"}, OUT(of_two_allgathers), {0}},
    {"twice", {"FORM=2"}, OUT(of_two_reductions), {0}},
    {"hosted_twice", {0}, {{"out", of_scattered_integers, 2}}, {0}},
    /* Transfers and signals. */
    {"tags", {0}, {{"out", of_tags, 3}}, {0}},
    {"puts", {"FORM=0"}, OUT(of_rows_from_the_left), {0}},
    {"puts", {"FORM=1"}, OUT(of_rows_from_the_left), {0}},
    {"puts", {"FORM=2"}, OUT(of_second_row_from_the_left), {0}},
    {"puts", {"FORM=3"}, OUT(of_rows_added_at_rank_0), {0}},
    {"gets", {"FORM=0"}, OUT(of_rows_from_the_right), {0}},
    {"gets", {"FORM=1"}, OUT(of_second_row_from_the_right), {0}},
    {"remote_stores", {"FORM=0"}, OUT(of_doubled_rows), {0}},
    {"remote_stores", {"FORM=1"}, OUT(of_doubled_rows), {0}},
    {"push_then_read", {0}, {{"out", of_rows_from_the_left, 1}, {"head", of_first_word, 1}}, {0}},
    {"credits", {0}, OUT(of_credits), {0}},
    {"experts", {0}, {{"out", of_tokens, 1}, {"seen", of_seen, 1}}, {0}},
};

static struct trial trial_of(struct arena *a, const struct row *row, const char *model, int ranks)
{
    return (struct trial){.kernel = arena_printf(a, "programs/%s", row->program),
                          .model = model,
                          .toolchain = "ptoas-0.57",
                          .nranks = ranks,
                          .seeds = SEEDS,
                          .batch = PASS_BATCH_LOOPS,
                          .args = {row->args[0], row->args[1]}};
}

/* ---- results ---- */

static size_t wrong_elements(const struct trial_memory *m, const struct output *out, int n, int r)
{
    struct arena a = {0};
    size_t count, wrong = 0, turns = (size_t)out->turns;
    const double *x = trial_tensor(&a, m, out->tensor, r, &count);
    size_t slice = count / turns / (size_t)n;
    cr_expect(slice > 0);
    for (size_t turn = 0; turn < turns; turn++)
        for (size_t i = 0; i < slice; i++) {
            double want = out->element(n, r, (int)(turn * slice + i)),
                   got = x[(turn * (size_t)n + (size_t)r) * slice + i];
            wrong += want > ANY && got != want;
        }
    arena_free(&a);
    return wrong;
}

Test(programs, give_the_right_results, .timeout = 120)
{
    for (size_t k = 0; k < COUNT(rows); k++)
        for (size_t p = 0; p < COUNT(rank_counts); p++) {
            struct arena a = {0};
            int n = rank_counts[p];
            struct trial t = trial_of(&a, &rows[k], "sc", n);
            const struct trial_memory m = trial_memory(&a, &t);
            for (int o = 0; o < OUTPUTS && rows[k].outputs[o].tensor; o++)
                for (int r = 0; r < n; r++) {
                    size_t wrong = wrong_elements(&m, &rows[k].outputs[o], n, r);
                    cr_expect(wrong == 0, "%s %s P=%d: %zu wrong elements in %s[%d]", t.kernel,
                              rows[k].args[0] ? rows[k].args[0] : "", n, wrong,
                              rows[k].outputs[o].tensor, r);
                }
            arena_free(&a);
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

/* Results are compared with those of sc, too: a wrong one without another finding is a kind. */
Test(programs, findings, .timeout = 300)
{
    static const char *const models[] = {"a2a3", "a2a3-evict"};
    for (size_t k = 0; k < COUNT(rows); k++)
        for (size_t m = 0; m < COUNT(models); m++) {
            struct arena a = {0};
            struct outcome o = {0};
            for (size_t p = 0; p < COUNT(rank_counts); p++) {
                struct trial t = trial_of(&a, &rows[k], models[m], rank_counts[p]);
                trial_run(&t, &o);
            }
            const char *found = outcome_text(&o), *how = rows[k].args[0] ? rows[k].args[0] : "";
            cr_expect(o.checked > 0, "%s: no access was judged", rows[k].program);
            for (int i = 0; i < MAX_KINDS && rows[k].must[i]; i++)
                cr_expect(outcome_has_kind(&o, rows[k].must[i]), "%s %s %s: expected '%s': %s",
                          rows[k].program, how, models[m], rows[k].must[i], found);
            vec_foreach (const char *, kind, &o.kinds)
                cr_expect(listed(rows[k].must, *kind), "%s %s %s: '%s' must not occur: %s",
                          rows[k].program, how, models[m], *kind, found);
            outcome_free(&o);
            arena_free(&a);
        }
}

/* Every contract's results are those of sc in what is clean, also where a line has no cache. */
Test(programs, clean_ones_are_clean_everywhere, .timeout = 300)
{
    static const char *const models[] = {"sc", "benign", "a2a3-blocking", "a2a3-fifo", "weakest"};
    for (size_t k = 0; k < COUNT(rows); k++)
        for (size_t m = 0; m < COUNT(models) && !rows[k].must[0]; m++) {
            struct arena a = {0};
            struct outcome o = {0};
            struct trial t = trial_of(&a, &rows[k], models[m], 4);
            trial_run(&t, &o);
            cr_expect(o.failed == 0, "%s %s: %s", rows[k].program, models[m], outcome_text(&o));
            outcome_free(&o);
            arena_free(&a);
        }
}

/* ---- how often the host's collectives wait (pypto-facts 5.6) ---- */

static int one(int n)
{
    (void)n;
    return 1;
}

static int two(int n)
{
    (void)n;
    return 2;
}

static int ring(int n)
{
    return 2 * n - 1;
}

/* Each barrier is a notify to each peer and a wait for each; the end of the call takes each cell
 * back once. */
static const struct {
    const char *program;
    int (*barriers)(int n);
    int cells;  /* of a peer that are used; 0: one for each barrier */
    int counts; /* notifies of counts, for each rank */
    bool drops; /* the cache is invalidated behind each wait */
} hosted[] = {
    {"allreduce", two, 1, 0, false},     {"allreduce_ring", ring, 0, 0, false},
    {"reduce_scatter", two, 1, 0, true}, {"allgather", one, 1, 0, false},
    {"all_to_all", one, 1, 0, false},    {"all_to_all_v", one, 1, 1, false},
    {"broadcast", one, 1, 0, false},     {"barrier", one, 1, 0, false},
};

Test(programs, collectives_of_the_host_wait_as_often_as_they_should, .timeout = 120)
{
    for (size_t k = 0; k < COUNT(hosted); k++)
        for (size_t p = 0; p < COUNT(rank_counts); p++)
            for (int batched = 0; batched < 2; batched++) {
                struct arena a = {0};
                struct outcome o = {0};
                int n = rank_counts[p];
                const struct row row = {.program = hosted[k].program, .args = {HOSTED}};
                struct trial t = trial_of(&a, &row, "a2a3", n);
                t.seeds = 1;
                t.typical = true;
                t.batch = batched ? PASS_BATCH_LOOPS : PASS_BATCH_NONE;
                trial_run(&t, &o);
                uint64_t peers = (uint64_t)n - 1, barriers = (uint64_t)hosted[k].barriers(n),
                         waits = barriers * peers,
                         cells = hosted[k].cells ? (uint64_t)hosted[k].cells : barriers,
                         counts = (uint64_t)(hosted[k].counts * n);
                cr_expect(o.core.all_equal && o.core.waits == waits &&
                              o.core.notifies == waits + cells * peers + counts &&
                              o.core.flushes == (hosted[k].drops ? waits : 0),
                          "%s P=%d: %llu waits, %llu notifies, %llu flushes", hosted[k].program, n,
                          (unsigned long long)o.core.waits, (unsigned long long)o.core.notifies,
                          (unsigned long long)o.core.flushes);
                outcome_free(&o);
                arena_free(&a);
            }
}
