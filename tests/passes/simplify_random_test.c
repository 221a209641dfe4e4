/* SPDX-License-Identifier: MIT */
/*
 * Random programs of scalars do the same before and after Simplify: the same calls, as many, in the
 * same order, with the same arguments, as long as nothing happens that the compiler takes for
 * impossible (tests/passes/scalar_run.h).
 */
#include <stdlib.h>

#include "base/rng.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "tests/passes/scalar_run.h"
#include "tests/passes/transform_rig.h"

enum { PROGRAMS = 1500, INPUTS = 4, PARAMS = 4, MAX_DEPTH = 4, MAX_NAMES = 64 };

struct name {
    const char *text, *dtype;
};

struct maker {
    struct arena *arena;
    struct rng rng;
    struct strbuf out;
    struct name names[MAX_NAMES]; /* assigned for sure where the text stands */
    int nnames, fresh, loops;
};

static const char head[] = "@pl.program\n"
                           "class P:\n"
                           "    @pl.function(type=pl.FunctionType.InCore)\n"
                           "    def callee(self, n: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:\n"
                           "        return n\n"
                           "    @pl.function(type=pl.FunctionType.InCore)\n"
                           "    def k(self, i: pl.Scalar[pl.INDEX], n: pl.Scalar[pl.INT32], u: "
                           "pl.Scalar[pl.UINT8], b: pl.Scalar[pl.BOOL]):\n";
static const struct name params[PARAMS] = {
    {"i", "INDEX"}, {"n", "INT32"}, {"u", "UINT8"}, {"b", "BOOL"}};

static int below(struct maker *m, int n)
{
    return (int)rng_below(&m->rng, (uint64_t)n);
}

/* ---- expressions ---- */

/* A name of a truth, or of a number; the parameters are one of each at least. */
static const char *any_name(struct maker *m, bool truth)
{
    int i = below(m, m->nnames);
    while ((strcmp(m->names[i].dtype, "BOOL") == 0) != truth)
        i = (i + 1) % m->nnames;
    return m->names[i].text;
}

static void add_atom(struct maker *m)
{
    static const char *const literals[] = {"0",
                                           "0",
                                           "1",
                                           "1",
                                           "2",
                                           "3",
                                           "-1",
                                           "7",
                                           "100",
                                           "pl.const(2, pl.INT32)",
                                           "pl.const(200, pl.UINT8)",
                                           "pl.const(2147483647, pl.INT32)",
                                           "pl.const(-1, pl.INT64)",
                                           "pl.const(0, pl.INT32)",
                                           "pl.cast(1, pl.INT32)"};
    if (below(m, 2))
        strbuf_add(&m->out, any_name(m, false));
    else
        strbuf_add(&m->out, literals[below(m, sizeof literals / sizeof *literals)]);
}

static void add_number(struct maker *m, int depth);
static void add_truth(struct maker *m, int depth);

static void add_cast(struct maker *m, int depth)
{
    static const char *const casts[] = {"INDEX", "INT32", "UINT8", "INT64"};
    strbuf_add(&m->out, "pl.cast(");
    if (below(m, 4))
        add_number(m, depth);
    else
        add_truth(m, depth);
    strbuf_addf(&m->out, ", pl.%s)", casts[below(m, 4)]);
}

/* Operands are numbers, or else the compiler refuses the operator (pypto-front-facts 2.3). */
static void add_number(struct maker *m, int depth)
{
    static const char *const operators[] = {"+", "+", "-", "*",  "*",  "//", "%",
                                            "&", "|", "^", "<<", ">>", "**"};
    static const char *const prefixes[] = {"(-", "(~", "abs(", "(0 + "};
    int kind = depth ? below(m, 10) : 0;
    if (kind < 3) {
        add_atom(m);
    } else if (kind < 8) {
        strbuf_add(&m->out, "(");
        add_number(m, depth - 1);
        strbuf_addf(&m->out, " %s ", operators[below(m, sizeof operators / sizeof *operators)]);
        add_number(m, depth - 1);
        strbuf_add(&m->out, ")");
    } else if (kind == 8) {
        strbuf_add(&m->out, prefixes[below(m, sizeof prefixes / sizeof *prefixes)]);
        add_number(m, depth - 1);
        strbuf_add(&m->out, ")");
    } else {
        add_cast(m, depth - 1);
    }
}

static void add_truth(struct maker *m, int depth)
{
    static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
    int kind = depth ? below(m, 10) : 0;
    if (kind < 2) {
        strbuf_add(&m->out, below(m, 2) ? any_name(m, true) : below(m, 2) ? "True" : "False");
        return;
    }
    bool negated = kind == 2, logical = negated || kind < 5;
    bool numbers = !logical || below(m, 4) == 0; /* and, or and not take numbers as well */
    void (*const operand)(struct maker *, int) = numbers ? add_number : add_truth;
    strbuf_add(&m->out, negated ? "(not " : "(");
    operand(m, depth - 1);
    if (!negated) {
        strbuf_addf(&m->out, " %s ",
                    !logical      ? comparisons[below(m, 6)]
                    : below(m, 2) ? "and"
                                  : "or");
        operand(m, depth - 1);
    }
    strbuf_add(&m->out, ")");
}

static void add_expr(struct maker *m, int depth)
{
    if (below(m, 3))
        add_number(m, depth);
    else
        add_truth(m, depth);
}

/* ---- statements ---- */

static void start(struct maker *m, int depth)
{
    strbuf_pad(&m->out, ' ', 8 + 4 * (size_t)depth);
}

static const char *fresh_name(struct maker *m)
{
    return arena_printf(m->arena, "v%d", m->fresh++);
}

static void define(struct maker *m, const char *name, const char *dtype)
{
    if (m->nnames < MAX_NAMES)
        m->names[m->nnames++] = (struct name){name, dtype};
}

static void add_typed(struct maker *m, const char *dtype)
{
    bool truth = strcmp(dtype, "BOOL") == 0;
    strbuf_add(&m->out, truth ? "not (" : "pl.cast(");
    add_expr(m, 2);
    strbuf_addf(&m->out, truth ? ")" : ", pl.%s)", dtype);
}

/* A value of the type, often a constant. */
static void add_value(struct maker *m, const char *dtype)
{
    if (strcmp(dtype, "BOOL") && below(m, 2))
        strbuf_addf(&m->out, "pl.const(%d, pl.%s)", below(m, 4), dtype);
    else
        add_typed(m, dtype);
}

static void add_assign(struct maker *m, int depth)
{
    static const char *const dtypes[] = {"INDEX", "INT32", "UINT8", "BOOL"};
    int again = below(m, 8) ? -1 : below(m, m->nnames);
    const char *dtype = again < 0 ? dtypes[below(m, 4)] : m->names[again].dtype;
    const char *name = again < 0 ? fresh_name(m) : m->names[again].text;
    start(m, depth);
    strbuf_addf(&m->out, again < 0 ? "%s: pl.Scalar[pl.%s] = " : "%s = ", name, dtype);
    if (!below(m, 5) && strcmp(dtype, "INT32") == 0)
        strbuf_add(&m->out, "self.callee(n)");
    else if (below(m, 3) == 0)
        strbuf_addf(&m->out, "pl.cast(%s, pl.%s)", m->names[below(m, m->nnames)].text, dtype);
    else
        add_value(m, dtype);
    strbuf_add(&m->out, "\n");
    if (again < 0)
        define(m, name, dtype);
}

static void add_use(struct maker *m, int depth)
{
    start(m, depth);
    strbuf_add(&m->out, "pl.test.use(");
    add_expr(m, 3);
    strbuf_add(&m->out, ", ");
    add_expr(m, 1);
    strbuf_add(&m->out, ")\n");
}

static void add_block(struct maker *m, int depth, const char *result);

static void add_if(struct maker *m, int depth)
{
    const char *result = below(m, 2) ? fresh_name(m) : NULL;
    start(m, depth);
    strbuf_add(&m->out, "if ");
    add_typed(m, "BOOL");
    strbuf_add(&m->out, ":\n");
    add_block(m, depth + 1, result);
    if (result || below(m, 2)) {
        start(m, depth);
        strbuf_add(&m->out, "else:\n");
        add_block(m, depth + 1, result);
    }
    if (result)
        define(m, result, "INT32");
}

static void add_for(struct maker *m, int depth)
{
    static const char *const ranges[] = {"0",        "1",    "2",     "1, 2",     "0, 4, 3",
                                         "3, 0, -2", "2, 2", "i % 3", "n, n + 1", "i % 7, 7, 5"};
    const char *counter = fresh_name(m), *result = below(m, 2) ? fresh_name(m) : NULL;
    const char *carried = result ? fresh_name(m) : NULL;
    int names = m->nnames;
    start(m, depth);
    strbuf_addf(&m->out, "for %s", counter);
    if (result)
        strbuf_addf(&m->out, ", (%s,)", carried);
    strbuf_addf(&m->out, " in pl.range(%s", ranges[below(m, sizeof ranges / sizeof *ranges)]);
    if (result) {
        strbuf_add(&m->out, ", init_values=(");
        add_value(m, "INT32");
        strbuf_add(&m->out, ",)");
        define(m, carried, "INT32");
    }
    strbuf_add(&m->out, "):\n");
    define(m, counter, "INDEX");
    m->loops += !result;
    add_block(m, depth + 1, result);
    m->loops -= !result;
    m->nnames = names;
    if (result)
        define(m, result, "INT32");
}

/* A jump out of a loop that carries nothing. */
static void add_jump(struct maker *m, int depth)
{
    start(m, depth);
    strbuf_add(&m->out, "if ");
    add_typed(m, "BOOL");
    strbuf_add(&m->out, ":\n");
    start(m, depth + 1);
    strbuf_add(&m->out, below(m, 2) ? "break\n" : "continue\n");
}

/* A block; with a result it ends in the yield of it. */
static void add_block(struct maker *m, int depth, const char *result)
{
    int names = m->nnames, statements = 1 + below(m, 4), loops = m->loops;
    m->loops = result ? 0 : loops;
    for (int s = 0; s < statements; s++) {
        int kind = below(m, 10);
        if (kind < 3 || depth >= MAX_DEPTH)
            add_assign(m, depth);
        else if (kind < 6)
            add_use(m, depth);
        else if (kind < 8)
            add_if(m, depth);
        else if (kind < 9 || !m->loops)
            add_for(m, depth);
        else
            add_jump(m, depth);
    }
    if (result) {
        start(m, depth);
        strbuf_addf(&m->out, "%s: pl.Scalar[pl.INT32] = pl.yield_(", result);
        add_value(m, "INT32");
        strbuf_add(&m->out, ")\n");
    }
    m->loops = loops;
    m->nnames = names;
}

static const char *random_program(struct arena *a, uint64_t seed)
{
    struct maker m = {.arena = a, .rng = rng_make(seed, 0), .out = strbuf_make(a)};
    strbuf_addf(&m.out, "%s%s", transform_imports, head);
    for (int p = 0; p < PARAMS; p++)
        define(&m, params[p].text, params[p].dtype);
    for (int s = 0; s < 3; s++)
        add_block(&m, 0, NULL);
    add_use(&m, 0);
    return m.out.text;
}

/* ---- programs of index arithmetic, which the identities and ranges are about ---- */

static void add_index(struct maker *m, int depth)
{
    static const char *const operators[] = {" + ",  " + ", " - ", " - ", " * ",
                                            " // ", " % ", ", ",  ", "};
    int op = below(m, sizeof operators / sizeof *operators);
    if (depth == 0 || below(m, 4) == 0) {
        if (below(m, 3))
            strbuf_add(&m->out, m->names[below(m, m->nnames)].text);
        else
            strbuf_addf(&m->out, "%d", below(m, 12) - 2);
        return;
    }
    strbuf_add(&m->out, op < 7 ? "(" : op == 7 ? "pl.min(" : "pl.max(");
    add_index(m, depth - 1);
    strbuf_add(&m->out, operators[op]);
    if (op == 5 || op == 6)
        strbuf_addf(&m->out, "%d", 1 + below(m, 8));
    else
        add_index(m, depth - 1);
    strbuf_add(&m->out, ")");
}

static void add_comparison(struct maker *m, int depth)
{
    static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
    int kind = depth ? below(m, 6) : 0;
    if (kind == 5) {
        strbuf_add(&m->out, "(not ");
        add_comparison(m, depth - 1);
    } else if (kind >= 3) {
        strbuf_add(&m->out, "(");
        add_comparison(m, depth - 1);
        strbuf_add(&m->out, kind == 3 ? " and " : " or ");
        add_comparison(m, depth - 1);
    } else {
        strbuf_add(&m->out, "(");
        add_index(m, 1 + below(m, 2));
        strbuf_addf(&m->out, " %s ", operators[below(m, 6)]);
        add_index(m, 1);
    }
    strbuf_add(&m->out, ")");
}

static void add_line(struct maker *m, int depth)
{
    start(m, depth);
    strbuf_add(&m->out, "pl.test.use(");
    add_index(m, 4);
    strbuf_add(&m->out, ", ");
    add_comparison(m, 1);
    strbuf_add(&m->out, ")\n");
}

/* A loop with constant bounds around branches, with a scalar in between. */
static const char *index_program(struct arena *a, uint64_t seed)
{
    struct maker m = {.arena = a, .rng = rng_make(seed, 2), .out = strbuf_make(a)};
    strbuf_addf(&m.out,
                "%s@pl.program\nclass P:\n"
                "    @pl.function(type=pl.FunctionType.InCore)\n"
                "    def k(self, i: pl.Scalar[pl.INDEX], n: pl.Scalar[pl.INT64], u: "
                "pl.Scalar[pl.INDEX], b: pl.Scalar[pl.INDEX]):\n",
                transform_imports);
    for (int p = 0; p < PARAMS; p++)
        define(&m, params[p].text, "INDEX");
    int from = below(&m, 3);
    strbuf_addf(&m.out, "        for j in pl.range(%d, %d):\n            c = ", from,
                from + 1 + below(&m, 6));
    define(&m, "j", "INDEX");
    add_index(&m, 2);
    strbuf_add(&m.out, "\n");
    define(&m, "c", "INDEX");
    add_line(&m, 1);
    strbuf_add(&m.out, "            if ");
    add_comparison(&m, 2);
    strbuf_add(&m.out, ":\n");
    add_line(&m, 2);
    add_line(&m, 2);
    strbuf_add(&m.out, "            else:\n");
    add_line(&m, 2);
    return m.out.text;
}

/* ---- the property ---- */

/* A run that fails does the same up to there. */
static bool is_same_run(const char *before, const char *after)
{
    const char *failed = strstr(before, "failed\n");
    return failed ? strncmp(before, after, (size_t)(failed - before)) == 0
                  : strcmp(before, after) == 0;
}

/* SIMPLIFY_PROGRAMS in the environment asks for more programs. */
static uint64_t programs(void)
{
    const char *asked = getenv("SIMPLIFY_PROGRAMS");
    return asked ? strtoull(asked, NULL, 10) : PROGRAMS;
}

static void expect_same_runs(const char *(*make)(struct arena *a, uint64_t seed),
                             const int64_t *edges, size_t nedges)
{
    static const char *const run[] = {"Simplify"};
    uint64_t changed = 0, completed = 0, asked = programs();
    for (uint64_t seed = 1; seed <= asked; seed++) {
        struct arena a = {0};
        struct rng rng = rng_make(seed, 1);
        const char *name = arena_printf(&a, "program %llu", (unsigned long long)seed);
        const struct ir_program *p = transform_parse(&a, name, make(&a, seed)),
                                *out = transform_run(&a, name, p, run, 1),
                                *again = transform_run(&a, name, out, run, 1);
        cr_expect(ir_equal(out, again), "%s: a second run changes\n%s\nto\n%s", name,
                  ir_print(&a, out), ir_print(&a, again));
        changed += !ir_equal(p, out);
        for (int input = 0; input < INPUTS; input++) {
            int64_t values[PARAMS];
            for (int v = 0; v < PARAMS; v++)
                values[v] = edges[rng_below(&rng, nedges)];
            values[0] = values[0] < 0 ? 4 : values[0];
            const char *before = scalar_run(&a, ir_find_func(p, "k"), values, true),
                       *after = scalar_run(&a, ir_find_func(out, "k"), values, false);
            cr_assert(is_same_run(before, after),
                      "%s with i=%lld n=%lld u=%lld b=%lld\n%s\n--- before\n%s--- after\n%s--- "
                      "simplified\n%s",
                      name, (long long)values[0], (long long)values[1], (long long)values[2],
                      (long long)values[3], ir_print(&a, p), before, after, ir_print(&a, out));
            completed += !strstr(before, "failed");
        }
        arena_free(&a);
    }
    cr_expect(changed > asked / 2, "only %llu programs are simplified",
              (unsigned long long)changed);
    cr_expect(completed > asked / 2, "only %llu runs end", (unsigned long long)completed);
}

Test(simplify_random, same_calls_in_the_same_order, .timeout = 3600)
{
    static const int64_t edges[] = {0, 1, 2, 3, 5, 63, 64, 127, 255, -1, -7, 2147483647};
    expect_same_runs(random_program, edges, sizeof edges / sizeof *edges);
}

Test(simplify_random, index_arithmetic, .timeout = 3600)
{
    static const int64_t edges[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31};
    expect_same_runs(index_program, edges, sizeof edges / sizeof *edges);
}
