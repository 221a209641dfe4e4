/* SPDX-License-Identifier: MIT */
#include "passes/pass.h"

#include <string.h>

#include "base/strbuf.h"
#include "ir/parse.h"
#include "tests/support.h"

static const char kernel_text[] =
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "@pl.program\n"
    "class test:\n"
    "    @pl.function(type=pl.FunctionType.%s)\n"
    "    def kernel(self, win: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], "
    "sig: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], tile: pl.Tile[[1, 64], pl.FP32]):\n"
    "        pl.tile.store(tile, [0, 0], win)\n"
    "        if True:\n"
    "            %s\n";

static const struct ir_program *parse(struct arena *a, const char *type, const char *line)
{
    struct diag d = {.arena = a};
    const char *text = arena_printf(a, kernel_text, type, line);
    const struct ir_program *p = ir_parse(a, source_from_string(a, "test.py", text), &d);
    cr_assert(p, "%s", diag_text(&d, a));
    return p;
}

static size_t statements(const struct ir_program *p)
{
    return p->funcs.items[0]->body.len;
}

/* ---- lookup ---- */

#define NAMES                                                                                      \
    "(passes: InlineFunctions, UnrollLoops, CtrlFlowTransform, ConvertToSSA, FlattenCallExpr, "    \
    "OutlineHierarchyScopes, OutlineIncoreScopes, OutlineClusterScopes, ConvertTensorToTileOps, "  \
    "LowerCompositeOps, "                                                                          \
    "InferTileMemorySpace, "                                                                       \
    "LowerAutoVectorSplit, ExpandMixedKernel, SplitVectorKernel, StampTfreeSplit, "                \
    "SynthesizeAllReduceSignals, "                                                                 \
    "MaterializeCommDomainScopes, "                                                                \
    "LowerHostTensorCollectives, MaterializeDistTensorCtx, Simplify, InsertCommFence)\n"

Test(pass, find)
{
    static const struct {
        const char *name, *error;
    } cases[] = {
        {"InsertCommFence", ""},
        {"Simplify", ""},
        {"InsertCommFenc",
         "error: unknown pass 'InsertCommFenc'; did you mean 'InsertCommFence'? " NAMES},
        {"frobnicate", "error: unknown pass 'frobnicate' " NAMES},
        {"", "error: unknown pass '' " NAMES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct pass *pass = pass_find(cases[i].name, &d);
        expect_text(cases[i].name, diag_text(&d, &a), cases[i].error);
        cr_expect_eq(pass != NULL, cases[i].error[0] == '\0');
        cr_expect(!pass || strcmp(pass->name, cases[i].name) == 0);
        arena_free(&a);
    }
}

Test(pass, table_is_complete)
{
    for (size_t i = 0; i < pass_count; i++) {
        cr_expect(passes[i].name && passes[i].doc && passes[i].fact && passes[i].run &&
                      passes[i].functions,
                  "row %zu", i);
        for (size_t j = 0; j < i; j++)
            cr_expect(strcmp(passes[i].name, passes[j].name) != 0, "%s twice", passes[i].name);
    }
}

/* ---- requirements ---- */

static const struct pass make_x = {.name = "MakeX", .produces = "x"};
static const struct pass make_y = {.name = "MakeY", .requires = "x", .produces = "y"};
static const struct pass use_y = {.name = "UseY", .requires = "y"};
static const struct pass lower = {.name = "Lower", .produces = "CompositesLowered"};
static const struct pass use_lowered = {.name = "UseLowered", .requires = "CompositesLowered"};

Test(pass, order)
{
    static const struct {
        const char *name;
        const struct pass *sequence[3];
        size_t len;
        const char *error;
    } cases[] = {
        {"empty", {NULL}, 0, ""},
        {"nothing required", {&make_x}, 1, ""},
        {"produced in time", {&make_x, &make_y, &use_y}, 3, ""},
        {"produced by none",
         {&use_y},
         1,
         "error: pass 'UseY' requires 'y', which no earlier pass produces\n"},
        {"produced too late",
         {&make_y, &make_x},
         2,
         "error: pass 'MakeY' requires 'x', which no earlier pass produces\n"},
        {"a link of the chain is missing",
         {&make_x, &use_y},
         2,
         "error: pass 'UseY' requires 'y', which no earlier pass produces\n"},
        {"no pass serves itself",
         {&make_y},
         1,
         "error: pass 'MakeY' requires 'x', which no earlier pass produces\n"},
        {"held to begin with", {&use_lowered}, 1, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct ir_program *p = parse(&a, "InCore", "pl.system.fence()");
        bool ok = passes_check(cases[i].sequence, cases[i].len, p, &d);
        expect_text(cases[i].name, diag_text(&d, &a), cases[i].error);
        cr_expect_eq(ok, cases[i].error[0] == '\0', "%s", cases[i].name);
        arena_free(&a);
    }
}

/* A collective in a core function must be lowered first; in a host function it is another pass's
 * business. */
Test(pass, unlowered_collective)
{
    static const struct {
        const char *name, *type;
        const struct pass *sequence[2];
        size_t len;
        const char *error;
    } cases[] = {
        {"not lowered",
         "InCore",
         {&use_lowered},
         1,
         "test.py:9:13: error: pass 'UseLowered' requires 'CompositesLowered', which no earlier "
         "pass produces: this collective is not lowered yet\n"},
        {"lowered before", "InCore", {&lower, &use_lowered}, 2, ""},
        {"not in a core function", "Orchestration", {&use_lowered}, 1, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct ir_program *p = parse(&a, cases[i].type, "pld.tensor.barrier(sig)");
        passes_check(cases[i].sequence, cases[i].len, p, &d);
        const char *text = diag_text(&d, &a), *end = strchr(text, '\n');
        expect_text(cases[i].name, end ? arena_strndup(&a, text, (size_t)(end + 1 - text)) : text,
                    cases[i].error);
        arena_free(&a);
    }
}

/* ---- running ---- */

struct log {
    struct strbuf text;
};

static void log_before(void *ctx, const struct pass *pass, const struct ir_program *p)
{
    strbuf_addf(&((struct log *)ctx)->text, "before %s: %zu\n", pass->name, statements(p));
}

static void log_after(void *ctx, const struct pass *pass, const struct ir_program *p)
{
    strbuf_addf(&((struct log *)ctx)->text, "after %s: %zu\n", pass->name, statements(p));
}

/* What hooks see of a run of the whole table: ConvertTensorToTileOps adds the return at the end, the
 * last pass two markers. Simplify runs behind ConvertToSSA too. */
static const char *whole_log(struct arena *a, bool markers)
{
    struct strbuf b = strbuf_make(a);
    int statements = 2;
    for (size_t i = 0; i < pass_count; i++) {
        if (!markers && passes[i].inserts_markers)
            continue;
        strbuf_addf(&b, "before %s: %d\n", passes[i].name, statements);
        statements += strcmp(passes[i].name, "ConvertTensorToTileOps") == 0;
        statements += passes[i].inserts_markers ? 2 : 0;
        strbuf_addf(&b, "after %s: %d\n", passes[i].name, statements);
        if (strcmp(passes[i].name, "ConvertToSSA") == 0)
            strbuf_addf(&b, "before Simplify: %d\nafter Simplify: %d\n", statements, statements);
    }
    return b.text;
}

/* The kernel has two statements; the pass adds two markers behind the first. */
Test(pass, run)
{
    static const char *const once[] = {"InsertCommFence"};
    static const char *const twice[] = {"InsertCommFence", "InsertCommFence"};
    static const char *const unknown[] = {"InsertCommFence", "Simplifi"};
    static const struct {
        const char *name;
        const char *const *names;
        size_t len;
        bool markers;
        const char *log;   /* NULL: that of the whole table */
        size_t statements; /* 0: an error */
    } cases[] = {
        {"all", NULL, 0, true, NULL, 5},
        {"one by name", once, 1, true, "before InsertCommFence: 2\nafter InsertCommFence: 4\n", 4},
        {"twice", twice, 2, true,
         "before InsertCommFence: 2\nafter InsertCommFence: 4\n"
         "before InsertCommFence: 4\nafter InsertCommFence: 4\n",
         4},
        {"none", once, 0, true, "", 2},
        {"all without markers", NULL, 0, false, NULL, 3},
        {"by name without markers", once, 1, false, "", 2},
        {"an unknown name stops the run before it starts", unknown, 2, true, "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct log log = {strbuf_make(&a)};
        const struct pass_hooks hooks = {log_before, log_after, &log};
        struct pass_options o = PASS_OPTIONS_DEFAULT;
        o.markers = cases[i].markers;
        const struct ir_program *p = parse(&a, "InCore", "pl.system.bar_all()");
        const struct ir_program *out =
            passes_run(&a, p, cases[i].names, cases[i].len, &o, &hooks, &d);
        expect_text(cases[i].name, log.text.text,
                    cases[i].log ? cases[i].log : whole_log(&a, cases[i].markers));
        cr_expect_eq(out ? statements(out) : 0, cases[i].statements, "%s", cases[i].name);
        cr_expect_eq(d.failed, cases[i].statements == 0, "%s", cases[i].name);
        cr_expect_eq(statements(p), 2u, "%s: the program given has changed", cases[i].name);
        arena_free(&a);
    }
}

Test(pass, run_without_hooks)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct pass_options o = PASS_OPTIONS_DEFAULT;
    const struct ir_program *p = parse(&a, "InCore", "pl.system.bar_all()");
    const struct ir_program *out = passes_run(&a, p, NULL, 0, &o, NULL, &d);
    cr_expect(out && statements(out) == 5);
    arena_free(&a);
}

/* ---- checking what passes return ---- */

static struct ir_program *copy_with(struct arena *a, const struct ir_program *p, struct ir_stmt *s)
{
    struct ir_program *out = arena_dup(a, p, sizeof *p);
    struct ir_func *f = arena_dup(a, p->funcs.items[0], sizeof *f);
    f->body = (ir_block){0};
    vec_push(a, &f->body, s);
    out->funcs.items = arena_dup(a, &f, sizeof f);
    return out;
}

static struct ir_program *run_nothing(struct arena *a, const struct ir_program *p,
                                      const struct pass_options *o, struct diag *d)
{
    (void)o, (void)d;
    return arena_dup(a, p, sizeof *p);
}

static struct ir_program *run_fail(struct arena *a, const struct ir_program *p,
                                   const struct pass_options *o, struct diag *d)
{
    (void)a, (void)o;
    diag_error(d, p->source, p->funcs.items[0]->body.items[0]->span, "no such luck");
    return NULL;
}

/* A statement that the verifier refuses. */
static struct ir_program *run_break(struct arena *a, const struct ir_program *p,
                                    const struct pass_options *o, struct diag *d)
{
    (void)o, (void)d;
    return copy_with(a, p, ir_stmt_new(a, IR_BREAK, p->funcs.items[0]->body.items[0]->span));
}

/* The first statement only. */
static struct ir_program *run_shorten(struct arena *a, const struct ir_program *p,
                                      const struct pass_options *o, struct diag *d)
{
    (void)o, (void)d;
    return copy_with(a, p, p->funcs.items[0]->body.items[0]);
}

/* A callee whose name is an expression: it reads back as that expression. */
static struct ir_program *run_unreadable(struct arena *a, const struct ir_program *p,
                                         const struct pass_options *o, struct diag *d)
{
    (void)o, (void)d;
    struct span at = p->funcs.items[0]->body.items[0]->span;
    struct ir_stmt *s = ir_stmt_new(a, IR_EVAL, at);
    s->eval = ir_expr_new(a, IR_CALL, at);
    s->eval->call.callee = IR_CALLEE_UNKNOWN;
    s->eval->call.name = s->eval->call.written = "test.unheard_of(1) and pl.test.unheard_of";
    return copy_with(a, p, s);
}

static const struct pass keeps = {.name = "Keep", .functions = PASS_CORE, .run = run_nothing};
static const struct pass fails = {.name = "Fail", .functions = PASS_CORE, .run = run_fail};
static const struct pass breaks = {.name = "Break", .functions = PASS_CORE, .run = run_break};
static const struct pass strays = {.name = "Stray", .functions = PASS_HOST, .run = run_shorten};
static const struct pass lies = {
    .name = "Lie", .produces = "CompositesLowered", .functions = PASS_CORE, .run = run_nothing};
static const struct pass garbles = {
    .name = "Garble", .functions = PASS_CORE, .run = run_unreadable};

Test(pass, verify_each)
{
    static const struct {
        const char *name;
        const struct pass *pass;
        bool verify_each;
        const char *line, *error; /* the error's first line */
    } cases[] = {
        {"good", &keeps, true, "pl.system.fence()", ""},
        {"an error names its pass", &fails, false, "pl.system.fence()",
         "test.py:7:9: error: Fail: no such luck\n"},
        {"not verified", &breaks, true, "pl.system.fence()",
         "test.py:7:9: error: after Break: break outside a loop [loop-exit]\n"},
        {"not asked", &breaks, false, "pl.system.fence()", ""},
        {"a function that the pass may not change", &strays, true, "pl.system.fence()",
         "test.py:6:9: error: after Stray: the function 'kernel' is of a kind that the pass may "
         "not "
         "change\n"},
        {"a property that does not hold", &lies, true, "pld.tensor.barrier(sig)",
         "test.py:9:13: error: after Lie: 'CompositesLowered' does not hold: this collective is "
         "not "
         "lowered yet\n"},
        {"a property that holds", &lies, true, "pl.system.fence()", ""},
        {"a text that reads back as something else", &garbles, true, "pl.system.fence()",
         "test.py: error: after Garble: the printed program reads back as another one\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct pass_options o = PASS_OPTIONS_DEFAULT;
        o.verify_each = cases[i].verify_each;
        const struct ir_program *p = parse(&a, "InCore", cases[i].line);
        const struct ir_program *out = passes_run_sequence(&a, p, &cases[i].pass, 1, &o, NULL, &d);
        const char *text = diag_text(&d, &a), *end = strchr(text, '\n');
        expect_text(cases[i].name, end ? arena_strndup(&a, text, (size_t)(end + 1 - text)) : text,
                    cases[i].error);
        cr_expect_eq(out != NULL, cases[i].error[0] == '\0', "%s", cases[i].name);
        arena_free(&a);
    }
}

/* ---- kinds of functions ---- */

Test(pass, function_kinds)
{
    static const struct {
        const char *decorator;
        enum pass_functions kind;
    } cases[] = {
        {"level=pl.Level.HOST, role=pl.Role.Orchestrator", PASS_HOST},
        {"type=pl.FunctionType.Orchestration, level=pl.Level.HOST", PASS_HOST},
        {"level=pl.Level.HOST, role=pl.Role.SubWorker", PASS_OTHER},
        {"type=pl.FunctionType.Orchestration", PASS_CHIP},
        {"level=pl.Level.CHIP, role=pl.Role.Orchestrator", PASS_CHIP},
        {"type=pl.FunctionType.Graph", PASS_OTHER},
        {"type=pl.FunctionType.InCore", PASS_CORE},
        {"type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker", PASS_CORE},
        {"type=pl.FunctionType.AIC", PASS_CORE},
        {"type=pl.FunctionType.Spmd", PASS_OTHER},
        {"type=pl.FunctionType.Group", PASS_OTHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const char *text =
            arena_printf(&a, "@pl.function(%s)\ndef f():\n    return\n", cases[i].decorator);
        const struct ir_program *p = ir_parse(&a, source_from_string(&a, "f.py", text), &d);
        cr_assert(p, "%s", diag_text(&d, &a));
        cr_expect_eq(pass_function_kind(p->funcs.items[0]), cases[i].kind, "%s",
                     cases[i].decorator);
        arena_free(&a);
    }
}
