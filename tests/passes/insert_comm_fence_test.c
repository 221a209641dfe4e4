/* SPDX-License-Identifier: MIT */
#include "passes/insert_comm_fence.h"

#include <ctype.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/ops.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tests/support.h"

/* ---- kernels from bodies ---- */

/* The bodies below are lines of the kernel language; a line in capitals stands for the text beside
 * it here, with its argument in place of $. */
static const struct {
    const char *key, *text;
} shorthands[] = {
    {"STORE", "pl.tile.store(tile, [0, 0], $)"},
    {"WRITE", "pl.tensor.write($, [0, 0], value)"},
    {"GET", "pld.tile.get($, peer, win_b, tile)"},
    {"REMOTE_STORE", "pld.tile.remote_store(tile, $, peer, [0, 0])"},
    {"PUT", "pld.tile.put($, peer, plain, tile, atomic=pl.AtomicType.None_)"},
    {"NOTIFY", "pld.system.notify(sig, $, [me, 0], pl.const(1, pl.INT32), op=0)"},
    {"NOTIFY_SET", "pld.system.notify(sig, $, [me, 0], pl.const(1, pl.INT32), op=1)"},
    {"WAIT", "pld.system.wait(sig, [$, 0], pl.const(1, pl.INT32), cmp=1)"},
    {"LOAD", "pl.tile.load($, [0, 0], [1, 64], [1, 64])"},
    {"REMOTE_LOAD", "pld.tile.remote_load($, peer, [0, 0], [1, 64])"},
    {"READ", "pl.tensor.read($, [0, 0])"},
    {"CALL", "self.helper($)"},
    {"CI()", "pl.system.cacheinvalid()"},
    {"CI", "pl.system.cacheinvalid($, [1, 64], [0, 0])"},
    {"LINE", "pl.system.cacheinvalid($, [1, 1], [0, 0])"},
    {"END", "pl.system.cacheinvalid($, [1, 1], [7, 0])"},
    {"FENCE", "pl.system.fence()"},
};

static const char kernel_head[] =
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "@pl.program\n"
    "class test:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def helper(self, win: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def kernel(self, win_a: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], "
    "win_b: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], "
    "sig: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], "
    "counts: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], "
    "plain: pl.InOut[pl.Tensor[[1, 64], pl.FP32]], out: pl.Out[pl.Tensor[[1, 64], pl.FP32]], "
    "peer: pl.Scalar[pl.INT32], me: pl.Scalar[pl.INT32], n: pl.Scalar[pl.INT32], "
    "value: pl.Scalar[pl.FP32], tile: pl.Tile[[1, 64], pl.FP32]):\n";

static void expand_line(struct strbuf *b, const char *line, size_t len)
{
    size_t word = 0;
    while (word < len && (isupper((unsigned char)line[word]) || line[word] == '_'))
        word++;
    for (size_t i = 0; word && i < sizeof shorthands / sizeof shorthands[0]; i++) {
        const char *key = shorthands[i].key, *hole = strchr(shorthands[i].text, '$');
        if (!hole && strlen(key) == len && memcmp(key, line, len) == 0) {
            strbuf_add(b, shorthands[i].text);
            return;
        }
        if (hole && strlen(key) == word && memcmp(key, line, word) == 0) {
            strbuf_addn(b, shorthands[i].text, (size_t)(hole - shorthands[i].text));
            strbuf_addn(b, line + word + 1, len - word - 2);
            strbuf_add(b, hole + 1);
            return;
        }
    }
    strbuf_addn(b, line, len);
}

/* The body with each shorthand written out and each line indented by `indent`. */
static const char *expand(struct arena *a, const char *body, size_t indent)
{
    struct strbuf b = strbuf_make(a);
    for (const char *p = body; *p;) {
        size_t blank = strspn(p, " "), len = strcspn(p + blank, "\n");
        strbuf_pad(&b, ' ', indent + blank);
        expand_line(&b, p + blank, len);
        strbuf_add(&b, "\n");
        p += blank + len + (p[blank + len] == '\n');
    }
    return b.text;
}

static const struct ir_program *parse(struct arena *a, const char *name, const char *text)
{
    struct diag d = {.arena = a};
    const struct ir_program *p = ir_parse(a, source_from_string(a, name, text), &d);
    cr_assert(p, "%s: %s\n%s", name, diag_text(&d, a), text);
    return p;
}

static const struct ir_program *parse_body(struct arena *a, const char *name, const char *body)
{
    return parse(a, name, arena_printf(a, "%s%s", kernel_head, expand(a, body, 8)));
}

static const struct ir_func *kernel_of(const struct ir_program *p)
{
    return ir_find_func(p, "kernel");
}

/* The printed kernel without its signature and indentation. */
static const char *print_body(struct arena *a, const struct ir_program *p)
{
    struct strbuf b = strbuf_make(a);
    const char *line = strstr(ir_print(a, p), "def kernel(");
    cr_assert(line);
    for (line = strchr(line, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        cr_assert(strncmp(line + 1, "        ", 8) == 0, "stray line: %s", line + 1);
        strbuf_addn(&b, line + 9, strcspn(line + 9, "\n"));
        strbuf_add(&b, "\n");
    }
    return b.text;
}

static struct ir_program *mark_by(struct arena *a, const struct ir_program *p,
                                  enum pass_rules rules, enum pass_batch batch)
{
    struct diag d = {.arena = a};
    const struct pass_options o = {.batch = batch, .rules = rules, .markers = true};
    struct ir_program *out = insert_comm_fence(a, p, &o, &d);
    cr_assert(out && !d.failed);
    return out;
}

static struct ir_program *mark(struct arena *a, const struct ir_program *p, enum pass_batch batch)
{
    return mark_by(a, p, PASS_RULES_COMPILER, batch);
}

/* A function of each type around one window store; pypto-facts 1.1 and 3.6 case 17. */
Test(insert_comm_fence, only_core_functions)
{
    static const struct {
        const char *type;
        bool marked;
    } cases[] = {
        {"InCore", true},         {"AIC", true},    {"AIV", true},   {"Opaque", false},
        {"Orchestration", false}, {"Group", false}, {"Spmd", false}, {"Graph", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        const struct ir_program *p =
            parse(&a, cases[i].type,
                  arena_printf(&a,
                               "import pypto.language as pl\n"
                               "import pypto.language.distributed as pld\n"
                               "@pl.program\n"
                               "class test:\n"
                               "    @pl.function(type=pl.FunctionType.%s)\n"
                               "    def kernel(self, win: "
                               "pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], tile: "
                               "pl.Tile[[1, 64], pl.FP32]):\n"
                               "        pl.tile.store(tile, [0, 0], win)\n"
                               "        self.worker(win)\n",
                               cases[i].type));
        const struct ir_program *out = mark(&a, p, PASS_BATCH_LOOPS);
        cr_expect_eq(kernel_of(out)->body.len, cases[i].marked ? 6u : 2u, "%s", cases[i].type);
        cr_expect_eq(kernel_of(out) != kernel_of(p), cases[i].marked, "%s", cases[i].type);
        arena_free(&a);
    }
}

/* pypto-facts 3.6 case 18: the caller is marked, the function that it calls is not even copied. */
Test(insert_comm_fence, helper_is_shared)
{
    struct arena a = {0};
    const struct ir_program *p = parse_body(&a, "opaque_cross_function_call",
                                            "CALL(win_a)\n"
                                            "NOTIFY(peer)\n");
    const struct ir_program *out = mark(&a, p, PASS_BATCH_LOOPS);
    expect_text("opaque_cross_function_call_gets_whole_gm_marker", print_body(&a, out),
                expand(&a,
                       "CALL(win_a)\n"
                       "CI()\n"
                       "FENCE\n"
                       "NOTIFY(peer)\n",
                       0));
    cr_expect_eq(ir_find_func(out, "helper"), ir_find_func(p, "helper"));
    arena_free(&a);
}

Test(insert_comm_fence, unchanged_statements_are_shared)
{
    struct arena a = {0};
    const struct ir_program *p = parse_body(&a, "sharing",
                                            "if n > 0:\n"
                                            "    STORE(out)\n"
                                            "for src in pl.range(8):\n"
                                            "    WAIT(src)\n"
                                            "if n > 1:\n"
                                            "    STORE(win_a)\n"
                                            "else:\n"
                                            "    STORE(out)\n");
    const ir_block *before = &kernel_of(p)->body;
    const ir_block *after = &kernel_of(mark(&a, p, PASS_BATCH_LOOPS))->body;
    cr_assert_eq(after->len, 4u);
    cr_expect_eq(after->items[0], before->items[0]);
    cr_expect_eq(after->items[1], before->items[1]);
    cr_expect_neq(after->items[3], before->items[2]);
    cr_expect_eq(after->items[3]->if_.then_body.items[0], before->items[2]->if_.then_body.items[0]);
    cr_expect_eq(after->items[3]->if_.else_body.items, before->items[2]->if_.else_body.items);
    cr_expect_eq(before->items[2]->if_.then_body.len, 1u, "the program given has changed");
    arena_free(&a);
}

Test(insert_comm_fence, markers_carry_the_span_of_their_cause)
{
    struct arena a = {0};
    const struct ir_program *p = parse_body(&a, "spans",
                                            "STORE(win_a)\n"
                                            "for src in pl.range(8):\n"
                                            "    WAIT(src)\n");
    const ir_block *body = &kernel_of(mark(&a, p, PASS_BATCH_LOOPS))->body;
    static const size_t cause[] = {0, 0, 0, 3, 3};
    cr_assert_eq(body->len, 5u);
    for (size_t i = 0; i < body->len; i++) {
        cr_expect_eq(body->items[i]->span.line, body->items[cause[i]]->span.line);
        cr_expect_eq(body->items[i]->span.col, body->items[cause[i]]->span.col);
    }
    cr_expect_eq(body->items[1]->eval->span.line, body->items[0]->span.line);
    cr_expect_eq(body->items[3]->span.line, body->items[0]->span.line + 1);
    arena_free(&a);
}

/* ---- whose marker is it? ---- */

Test(insert_comm_fence, rule_of_a_marker)
{
    static const struct {
        const char *body, *rules;
    } cases[] = {
        {"STORE(win_a)\nCI(win_a)\nFENCE\n", "none W1 W1"},
        {"STORE(win_a)\nCI(win_a)\n", "none W1"},
        {"STORE(win_a)\nCI(win_b)\nFENCE\n", "none none none"},
        {"STORE(win_a)\nFENCE\n", "none none"},
        {"STORE(win_a)\nCI()\nFENCE\n", "none none none"},
        {"STORE(plain)\nCI()\nFENCE\n", "none none none"},
        {"STORE(win_a)\nLOAD(plain)\nFENCE\n", "none none none"},
        {"STORE(win_a)\nCI(win_a)\nFENCE\nFENCE\n", "none W1 W1 none"},
        {"PUT(win_a)\nFENCE\n", "none W2"},
        {"REMOTE_STORE(win_a)\nFENCE\nFENCE\n", "none W2 none"},
        {"PUT(win_a)\nCI(win_a)\nFENCE\n", "none none none"},
        {"CALL(win_a)\nCI()\nFENCE\n", "none W3 W3"},
        {"CALL(win_a)\nFENCE\n", "none none"},
        {"CALL(win_a)\nCI(win_a)\nFENCE\n", "none none none"},
        {"WAIT(peer)\nCI()\n", "none R1"},
        {"WAIT(peer)\nCI()\nFENCE\n", "none R1 none"},
        {"WAIT(peer)\nWAIT(me)\nCI()\n", "none none R1"},
        {"WAIT(peer)\nCI(win_a)\n", "none none"},
        {"WAIT(peer)\nLOAD(win_a)\nCI()\n", "none none none"},
        {"for src in pl.range(8):\n    WAIT(src)\nCI()\n", "none R1"},
        {"for src in pl.range(8):\n    WAIT(src)\n    CI()\nCI()\n", "none none"},
        {"for src in pl.range(8):\n    pass\nCI()\n", "none none"},
        {"if n > 0:\n    WAIT(0)\nCI()\n", "none none"},
        {"CI()\nFENCE\n", "none none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        const ir_block *body = &kernel_of(parse_body(&a, cases[i].body, cases[i].body))->body;
        struct strbuf b = strbuf_make(&a);
        for (size_t k = 0; k < body->len; k++)
            strbuf_addf(&b, "%s%s", k ? " " : "",
                        comm_fence_rule_name(comm_fence_rule_of(body, k, &PASS_OPTIONS_DEFAULT)));
        expect_text(cases[i].body, b.text, cases[i].rules);
        arena_free(&a);
    }
}

/* ---- properties ---- */

enum { MAX_DEPTH = 3, RANDOM_PROGRAMS = 300 };

static const char *const leaves[] = {
    "STORE(win_a)", "STORE(win_b)",
    "STORE(plain)", "WRITE(win_a)",
    "GET(win_b)",   "LOAD(win_a)",
    "WAIT(me)",     "WAIT(peer)",
    "WAIT(0)",      "REMOTE_STORE(win_a)",
    "PUT(win_a)",   "NOTIFY(peer)",
    "CALL(win_a)",  "WAIT(n)",
    "pass",         "WAIT(pl.tensor.read(counts, [0, 0]))",
};
static const char *const present_markers[] = {"CI()", "CI(win_a)", "CI(win_b)", "FENCE"};
static const char *const controls[] = {
    "for i%d in pl.range(8):",
    "if n > %d:",
    "while n > %d:",
    "if pl.tensor.read(counts, [%d, 0]) > 0:",
    "for i%d in pl.range(pl.tensor.read(counts, [0, 0])):",
};

#define PICK(r, list) (list)[rng_below((r), sizeof(list) / sizeof(list)[0])]

/* Bodies of waits are made often: they are what batching is about. */
static void random_block(struct rng *r, struct strbuf *b, int depth, bool with_markers)
{
    bool waits = rng_below(r, 3) == 0;
    size_t len = 1 + rng_below(r, depth ? 3 : 6);
    for (size_t i = 0; i < len; i++) {
        strbuf_pad(b, ' ', 4 * (size_t)depth);
        if (depth < MAX_DEPTH && rng_below(r, 3) == 0) {
            strbuf_addf(b, PICK(r, controls), depth);
            strbuf_add(b, "\n");
            random_block(r, b, depth + 1, with_markers);
        } else if (with_markers && rng_below(r, 4) == 0) {
            strbuf_addf(b, "%s\n", PICK(r, present_markers));
        } else {
            strbuf_addf(b, "%s\n", waits ? "WAIT(me)" : PICK(r, leaves));
        }
    }
}

static const char *random_body(struct arena *a, uint64_t seed, bool with_markers)
{
    struct rng r = rng_make(seed, 0);
    struct strbuf b = strbuf_make(a);
    random_block(&r, &b, 0, with_markers);
    return b.text;
}

static void expect_idempotent(struct arena *a, const char *name, const struct ir_program *p,
                              enum pass_batch batch)
{
    const struct ir_program *once = mark(a, p, batch), *twice = mark(a, once, batch);
    expect_text(name, print_body(a, twice), print_body(a, once));
    cr_expect(ir_equal(once, twice), "%s: not equal", name);
    cr_expect_eq(kernel_of(once), kernel_of(twice), "%s: copied without need", name);
    cr_expect(ir_equal(once, parse(a, name, ir_print(a, once))), "%s: does not read back", name);
}

/* pypto-facts 3.6 case 19; cases_test.c says it of each of its cases. */
Test(insert_comm_fence, twice_is_once)
{
    struct arena a = {0};
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++)
        for (int batch = 0; batch < PASS_BATCH_COUNT; batch++) {
            const char *body = random_body(&a, seed, seed % 2);
            expect_idempotent(&a, body, parse_body(&a, body, body), batch);
        }
    arena_free(&a);
}

static bool is_marker_line(const char *line)
{
    line += strspn(line, " ");
    return strncmp(line, "pl.system.cacheinvalid(", 23) == 0 ||
           strncmp(line, "pl.system.fence(", 16) == 0;
}

static const char *without_markers(struct arena *a, const char *text)
{
    struct strbuf b = strbuf_make(a);
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1)
        if (!is_marker_line(p))
            strbuf_addn(&b, p, strcspn(p, "\n") + 1);
    return b.text;
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, what)); p++)
        n++;
    return n;
}

/* The pass only adds, and batching never adds more than marking each wait does. */
Test(insert_comm_fence, only_adds)
{
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++) {
        struct arena a = {0};
        const char *body = random_body(&a, seed, false);
        const struct ir_program *p = parse_body(&a, body, body);
        const char *before = print_body(&a, p);
        const char *loops = print_body(&a, mark(&a, p, PASS_BATCH_LOOPS));
        const char *none = print_body(&a, mark(&a, p, PASS_BATCH_NONE));
        for (int batch = 0; batch < PASS_BATCH_COUNT; batch++)
            expect_text(pass_batch_names[batch],
                        without_markers(&a, print_body(&a, mark(&a, p, batch))), before);
        cr_expect_leq(count_of(loops, "cacheinvalid()"), count_of(none, "cacheinvalid()"));
        cr_expect_eq(count_of(loops, "fence()"), count_of(none, "fence()"));
        arena_free(&a);
    }
}

/* Follows every path: no memory may be touched between a wait and the
 * next whole-cache invalidate. */
struct acquire_walk {
    bool pending, ok;
    bool uses_alone; /* what goes through the cache counts, not all memory */
};

static bool touches_no_memory(const struct ir_expr *e, void *root)
{
    return e->kind != IR_CALL || e == root || (e->call.op && e->call.op->effect == IR_EFFECT_PURE);
}

static bool uses_no_cache(const struct ir_expr *e, void *root)
{
    (void)root;
    return e->kind != IR_CALL || (e->call.op && strcmp(e->call.op->name, "tensor.read") &&
                                  strcmp(e->call.op->name, "tensor.write"));
}

static void walk_acquires(struct acquire_walk *w, const ir_block *block);

static void walk_leaf(struct acquire_walk *w, struct ir_expr *e)
{
    const struct ir_op *op = e->kind == IR_CALL ? e->call.op : NULL;
    bool marker = op && op->effect == IR_EFFECT_MARKER, wait = op && op->effect == IR_EFFECT_WAIT;
    if (w->pending && !ir_walk_expr(e, w->uses_alone ? uses_no_cache : touches_no_memory,
                                    marker || wait ? e : NULL))
        w->ok = false;
    if (marker && strcmp(op->name, "system.cacheinvalid") == 0 && e->call.args.len == 0)
        w->pending = false;
    w->pending = w->pending || wait;
}

static void walk_loop(struct acquire_walk *w, struct ir_expr *again, const ir_block *body)
{
    for (int round = 0; round < 2; round++) {
        bool skipped = w->pending;
        walk_acquires(w, body);
        w->pending = w->pending || skipped;
        if (again)
            walk_leaf(w, again);
    }
}

static void walk_acquires(struct acquire_walk *w, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, it, block) {
        struct ir_stmt *s = *it;
        if (s->kind == IR_EVAL) {
            walk_leaf(w, s->eval);
        } else if (s->kind == IR_IF) {
            walk_leaf(w, s->if_.cond);
            struct acquire_walk other = *w;
            walk_acquires(w, &s->if_.then_body);
            walk_acquires(&other, &s->if_.else_body);
            w->pending = w->pending || other.pending;
            w->ok = w->ok && other.ok;
        } else if (s->kind == IR_FOR) {
            walk_leaf(w, s->for_.stop);
            walk_loop(w, NULL, &s->for_.body);
        } else if (s->kind == IR_WHILE) {
            walk_leaf(w, s->while_.cond);
            walk_loop(w, s->while_.cond, &s->while_.body);
        }
    }
}

static bool acquires_hold(const struct ir_program *p)
{
    struct acquire_walk w = {.pending = false, .ok = true};
    walk_acquires(&w, &kernel_of(p)->body);
    return w.ok && !w.pending;
}

Test(insert_comm_fence, every_wait_acquires_on_every_path)
{
    size_t broken_without = 0;
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++) {
        struct arena a = {0};
        const char *body = random_body(&a, seed, seed % 2);
        const struct ir_program *p = parse_body(&a, body, body);
        broken_without += !acquires_hold(p);
        for (int batch = PASS_BATCH_NONE; batch <= PASS_BATCH_LOOPS; batch++) {
            const struct ir_program *out = mark(&a, p, batch);
            cr_expect(acquires_hold(out), "batch=%d\n%s", batch, print_body(&a, out));
        }
        arena_free(&a);
    }
    cr_expect_gt(broken_without, RANDOM_PROGRAMS / 2, "the walk must see what is missing");
}

/* ---- where batching can go further ---- */

/* What lines and use put where; by hand from passes/acquire.h. `counts` and `win_a` are windows of
 * 8 and 64 words, `plain` is written by nobody but where a case says so. */
Test(insert_comm_fence, modes_that_go_further)
{
    static const struct {
        const char *name, *body, *lines, *use;
    } cases[] = {
        {"DMA needs none", "WAIT(me)\nLOAD(win_a)\n", "WAIT(me)\nLOAD(win_a)\n",
         "WAIT(me)\nLOAD(win_a)\n"},
        {"one line", "WAIT(me)\nREAD(win_a)\n", "WAIT(me)\nLINE(win_a)\nREAD(win_a)\n",
         "WAIT(me)\nCI()\nREAD(win_a)\n"},
        {"read before, not after", "READ(win_a)\nWAIT(me)\n", "READ(win_a)\nWAIT(me)\n",
         "READ(win_a)\nWAIT(me)\n"},
        {"an input is never old", "WAIT(me)\nREAD(plain)\n", "WAIT(me)\nREAD(plain)\n",
         "WAIT(me)\nREAD(plain)\n"},
        {"DMA writes it here", "STORE(plain)\nWAIT(me)\nREAD(plain)\n",
         "STORE(plain)\nWAIT(me)\nLINE(plain)\nREAD(plain)\n",
         "STORE(plain)\nWAIT(me)\nCI()\nREAD(plain)\n"},
        {"all lines of a small window", "WAIT(me)\nx = pl.tensor.read(counts, [n, 0])\n",
         "WAIT(me)\nLINE(counts)\nEND(counts)\nx = pl.tensor.read(counts, [n, 0])\n",
         "WAIT(me)\nCI()\nx = pl.tensor.read(counts, [n, 0])\n"},
        {"a call may read anything", "WAIT(me)\nCALL(win_a)\n",
         "WAIT(me)\nCI()\nCALL(win_a)\nCI()\nFENCE\n",
         "WAIT(me)\nCI()\nCALL(win_a)\nCI()\nFENCE\n"},
        {"a loop that reads", "WAIT(me)\nfor i in pl.range(8):\n    READ(win_a)\n",
         "WAIT(me)\nLINE(win_a)\nfor i in pl.range(8):\n    READ(win_a)\n",
         "WAIT(me)\nCI()\nfor i in pl.range(8):\n    READ(win_a)\n"},
        {"around a loop", "for i in pl.range(8):\n    READ(win_a)\n    WAIT(me)\n",
         "for i in pl.range(8):\n    READ(win_a)\n    WAIT(me)\n    LINE(win_a)\n",
         "for i in pl.range(8):\n    CI()\n    READ(win_a)\n    WAIT(me)\n"},
        {"on one path", "WAIT(me)\nif n > 0:\n    READ(win_a)\nREAD(win_b)\n",
         "WAIT(me)\nLINE(win_a)\nLINE(win_b)\nif n > 0:\n    READ(win_a)\nREAD(win_b)\n",
         "WAIT(me)\nif n > 0:\n    CI()\n    READ(win_a)\nCI()\nREAD(win_b)\n"},
        {"in the other branch", "if n > 0:\n    WAIT(me)\nelse:\n    READ(win_a)\n",
         "if n > 0:\n    WAIT(me)\nelse:\n    READ(win_a)\n",
         "if n > 0:\n    WAIT(me)\nelse:\n    READ(win_a)\n"},
        {"one for many waits", "for i in pl.range(8):\n    WAIT(me)\nWAIT(peer)\nREAD(win_a)\n",
         "for i in pl.range(8):\n    WAIT(me)\nLINE(win_a)\nWAIT(peer)\nLINE(win_a)\nREAD(win_a)\n",
         "for i in pl.range(8):\n    WAIT(me)\nWAIT(peer)\nCI()\nREAD(win_a)\n"},
        {"a condition reads", "while pl.tensor.read(counts, [0, 0]) > 0:\n    WAIT(me)\n",
         "while pl.tensor.read(counts, [0, 0]) > 0:\n    WAIT(me)\n    LINE(counts)\n",
         "while pl.tensor.read(counts, [0, 0]) > 0:\n    WAIT(me)\n    CI()\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        const struct ir_program *p = parse_body(&a, cases[i].name, cases[i].body);
        const char *const want[] = {cases[i].lines, cases[i].use};
        for (int m = 0; m < 2; m++)
            expect_text(arena_printf(&a, "%s: %s", cases[i].name, pass_batch_names[2 + m]),
                        print_body(&a, mark(&a, p, PASS_BATCH_LINES + m)),
                        print_body(&a, parse_body(&a, cases[i].name, want[m])));
        arena_free(&a);
    }
}

/* On every path of every program, what the whole-cache invalidate of `use` guards is guarded by it. */
Test(insert_comm_fence, use_guards_every_use)
{
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++) {
        struct arena a = {0};
        const char *body = random_body(&a, seed, seed % 2);
        const struct ir_program *out = mark(&a, parse_body(&a, body, body), PASS_BATCH_USE);
        struct acquire_walk w = {.ok = true, .uses_alone = true};
        walk_acquires(&w, &kernel_of(out)->body);
        cr_expect(w.ok, "%s", print_body(&a, out));
        arena_free(&a);
    }
}

static void expect_rules(const ir_block *block, const struct pass_options *o)
{
    for (size_t i = 0; i < block->len; i++) {
        const struct ir_call *call = ir_leaf_call(block->items[i]);
        bool marker = call && call->op && call->op->effect == IR_EFFECT_MARKER;
        cr_expect_eq(comm_fence_rule_of(block, i, o) != COMM_FENCE_NONE, marker);
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(block->items[i], inner);
        for (size_t b = 0; b < n; b++)
            expect_rules(inner[b], o);
    }
}

Test(insert_comm_fence, every_inserted_marker_has_a_rule)
{
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++) {
        struct arena a = {0};
        const char *body = random_body(&a, seed, false);
        const struct ir_program *p = parse_body(&a, body, body);
        for (int batch = 0; batch < PASS_BATCH_COUNT; batch++)
            for (int rules = PASS_RULES_COMPILER; rules <= PASS_RULES_PROPOSED; rules++)
                expect_rules(&kernel_of(mark_by(&a, p, rules, batch))->body,
                             &(struct pass_options){.batch = batch, .rules = rules});
        arena_free(&a);
    }
}
