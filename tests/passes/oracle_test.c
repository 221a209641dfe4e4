/* SPDX-License-Identifier: MIT */
/*
 * What the real compiler printed after each of its passes, where the texts lie beside the
 * repository (pypto-front-facts 0): a pass of ours makes of the program in front of a pass of the
 * same name the program behind it. A file has a block for a pass that changed the text; one that
 * has none, in a program that went on, left it as it was, and ours has to do so too. Without those
 * texts there is nothing to compare, and the tests of each pass have examples of their own.
 *
 * ORACLE names another folder than ../shared/oracle; with ORACLE_REPORT the scores are printed, and
 * what differs.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/rewrite.h"
#include "tests/passes/transform_rig.h"

/* The compiler's passes in its order (pypto-front-facts 3); Simplify runs twice. */
static const char *const pipeline[] = {
    "InlineFunctions",
    "UnrollLoops",
    "CtrlFlowTransform",
    "ConvertToSSA",
    "Simplify",
    "NormalizeStmtStructure",
    "FlattenCallExpr",
    "OutlineHierarchyScopes",
    "OutlineIncoreScopes",
    "OutlineClusterScopes",
    "ConvertTensorToTileOps",
    "OptimizeOrchTensors",
    "LowerCompositeOps",
    "FlattenTileNdTo2D",
    "LegalizeTileCast",
    "AutoTileMatmulL0",
    "CanonicalizeTileSlice",
    "InferTileMemorySpace",
    "InsertMxScaleAddr",
    "ResolveBackendOpLayouts",
    "LowerAutoVectorSplit",
    "ExpandMixedKernel",
    "InjectGMPipeBuffer",
    "SplitVectorKernel",
    "StampTfreeSplit",
    "NormalizeReturnOrder",
    "SkewCrossCorePipeline",
    "LowerPipelineToSlots",
    "LowerPipelineLoops",
    "CanonicalizeIOOrder",
    "MaterializeTensorStrides",
    "InitMemRef",
    "MaterializeSemanticAliases",
    "MemoryReuse",
    "AllocateMemoryAddr",
    "FoldNoOpReshape",
    "FuseCreateAssembleToSlice",
    "DeriveCallDirections",
    "AutoDeriveTaskDependencies",
    "ExpandManualPhaseFence",
    "SynthesizeAllReduceSignals",
    "MaterializeCommDomainScopes",
    "LowerHostTensorCollectives",
    "MaterializeDistTensorCtx",
    "Simplify",
    "MaterializeRuntimeScopes",
    "ClassifyIterArgCarry",
    "InsertCommFence",
    "MaterializeValidShapeSymbols",
};
enum { PIPELINE = sizeof pipeline / sizeof *pipeline, PARSED = -1 };

/* ---- the texts ---- */

struct block {
    int position;     /* in the pipeline, or PARSED */
    const char *text; /* NULL: the pass refused the program */
};

struct printed {
    const char *name; /* "FILE: PROGRAM" */
    VEC(struct block) blocks;
};
typedef VEC(struct printed) texts;

static int position_of(const char *pass, size_t len, int after)
{
    for (int i = after + 1; i < PIPELINE; i++)
        if (strlen(pipeline[i]) == len && strncmp(pipeline[i], pass, len) == 0)
            return i;
    cr_assert(false, "the pipeline has no pass '%.*s' here", (int)len, pass);
    return PARSED;
}

static void read_file(struct arena *a, const char *path, texts *out)
{
    struct diag d = {.arena = a};
    const struct source *file = source_read(a, path, &d);
    cr_assert(file, "%s", diag_text(&d, a));
    const char *base = strrchr(path, '/') + 1;
    struct printed *now = NULL;
    for (const char *p = file->text; *p;) {
        const char *rest = strchr(p, '\n'), *next = rest;
        while (next && strncmp(next, "\n---- ", 6) && strncmp(next, "\n########", 9) &&
               strncmp(next, "\n!!!! ", 6))
            next = strchr(next + 1, '\n');
        struct block b = {.position = PARSED};
        int last =
            now && now->blocks.len ? now->blocks.items[now->blocks.len - 1].position : PARSED;
        if (strncmp(p, "######## ", 9) == 0) {
            struct printed fresh = {
                .name = arena_printf(a, "%s: %.*s", base, (int)strcspn(p + 9, "\n"), p + 9)};
            vec_push(a, out, fresh);
            now = &out->items[out->len - 1];
        } else if (now && strncmp(p, "!!!! ", 5) == 0) {
            b.position = position_of(p + 5, strcspn(p + 5, " \n"), last);
            vec_push(a, &now->blocks, b);
        } else if (now && strncmp(p, "---- ", 5) == 0) {
            if (strncmp(p + 5, "after ", 6) == 0)
                b.position = position_of(p + 11, strcspn(p + 11, "\n"), last);
            b.text = arena_strndup(a, rest + 1, next ? (size_t)(next - rest) : strlen(rest + 1));
            vec_push(a, &now->blocks, b);
        }
        if (!next)
            break;
        p = next + 1;
    }
}

/* False without the folder. */
static bool read_all(struct arena *a, texts *out)
{
    const char *folder = getenv("ORACLE");
    glob_t found;
    if (glob(arena_printf(a, "%s/*/*.out", folder ? folder : "../shared/oracle"), 0, NULL,
             &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc; i++)
        read_file(a, found.gl_pathv[i], out);
    globfree(&found);
    return true;
}

/* ---- comparing ---- */

/* What is left of the programs when what their printer could not show is taken away. */
typedef const struct ir_program *reduce_fn(struct arena *a, const struct ir_program *p);

struct score {
    size_t changed, changed_equal; /* programs that the compiler's pass changes; ours to the same */
    size_t kept, kept_equal;       /* that it leaves as they are; ours too */
    size_t refused, refused_too;
    size_t same_names; /* of those changed: the same text */
};

/* One pass of ours at one place of the pipeline. */
struct comparison {
    const char *pass;
    int nth;             /* of the pipeline's passes of that name, from 0 */
    const char *prepare; /* a pass of ours that runs before, for what text cannot show, or NULL */
    reduce_fn *reduce;   /* or NULL */
    struct score least;
};

static const struct ir_program *read_program(struct arena *a, const char *text, struct diag *d)
{
    const struct ir_program *p = ir_parse(a, source_from_string(a, "printed", text), d);
    return p && verify_program(p, d) ? p : NULL;
}

static const struct ir_program *run(struct arena *a, const struct comparison *c,
                                    const struct ir_program *p, struct diag *d)
{
    const char *const names[] = {c->prepare ? c->prepare : c->pass, c->pass};
    const struct pass_options o = {.batch = PASS_BATCH_NONE, .markers = true, .verify_each = true};
    return passes_run(a, p, names, c->prepare ? 2 : 1, &o, NULL, d);
}

static void report(const struct comparison *c, const char *name, const char *why)
{
    if (getenv("ORACLE_REPORT"))
        printf("%s %d, %s: %s\n", c->pass, c->nth, name, why);
}

/* What our pass makes of a program; expected: the text of what the compiler's made of it. */
static bool is_same(struct arena *a, const struct comparison *c, const char *name,
                    const char *before, const char *expected, bool *same_text)
{
    struct diag d = {.arena = a}, e = {.arena = a};
    struct ir_difference difference = {.arena = a};
    const struct ir_program *p = read_program(a, before, &d), *made = p ? run(a, c, p, &d) : NULL,
                            *goal = made ? read_program(a, expected, &e) : NULL;
    if (!goal) {
        report(c, name, diag_text(made ? &e : &d, a));
        return false;
    }
    if (c->reduce) {
        made = c->reduce(a, made);
        goal = c->reduce(a, goal);
    }
    bool equal = ir_compare(made, goal, &difference);
    *same_text = equal && strcmp(ir_print(a, made), ir_print(a, goal)) == 0;
    if (!equal)
        report(c, name, difference.words);
    return equal;
}

static void compare_one(const struct comparison *c, const struct printed *p, int position,
                        struct score *s)
{
    const struct block *before = NULL, *after = NULL;
    vec_foreach (struct block, b, &p->blocks) {
        if (b->position < position)
            before = b;
        else if (!after)
            after = b;
    }
    if (!before || !before->text)
        return; /* the run ended before */
    struct arena a = {0};
    bool here = after && after->position == position, same_text = false;
    if (here && !after->text) {
        struct diag d = {.arena = &a};
        const struct ir_program *in = read_program(&a, before->text, &d);
        bool refused = !in || !run(&a, c, in, &d);
        s->refused++;
        s->refused_too += refused;
        if (!refused)
            report(c, p->name, "accepted");
    } else {
        bool same =
            is_same(&a, c, p->name, before->text, here ? after->text : before->text, &same_text);
        *(here ? &s->changed : &s->kept) += 1;
        *(here ? &s->changed_equal : &s->kept_equal) += same;
        s->same_names += here && same_text;
    }
    arena_free(&a);
}

static int place(const struct comparison *c)
{
    int at = -1;
    for (int n = 0; n <= c->nth; n++)
        at = position_of(c->pass, strlen(c->pass), at);
    return at;
}

static void expect_scores(const struct comparison *rows, size_t n)
{
    struct arena a = {0};
    texts all = {0};
    if (!read_all(&a, &all))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct comparison *c = &rows[i];
        struct score s = {0};
        vec_foreach (struct printed, p, &all)
            compare_one(c, p, place(c), &s);
        const char *line = arena_printf(
            &a,
            "%-28s changed: %3zu of %3zu equal (%zu with the same names), unchanged: %3zu of %3zu, "
            "refused: %zu of %zu",
            c->pass, s.changed_equal, s.changed, s.same_names, s.kept_equal, s.kept, s.refused_too,
            s.refused);
        if (getenv("ORACLE_REPORT"))
            printf("%s\n", line);
        cr_expect(s.changed_equal >= c->least.changed_equal &&
                      s.kept_equal >= c->least.kept_equal &&
                      s.refused_too >= c->least.refused_too && s.same_names >= c->least.same_names,
                  "%s", line);
    }
    arena_free(&a);
}
#define EXPECT_SCORES(rows) expect_scores(rows, sizeof(rows) / sizeof *(rows))
#define LEAST(changed, names, kept, refused)                                                       \
    {                                                                                              \
        .changed_equal = (changed), .same_names = (names), .kept_equal = (kept),                   \
        .refused_too = (refused)                                                                   \
    }

/* clang-format off */
/*
 * The floors are what is reached, so that a fall is a failure. What is missing, and why it stays:
 *
 *   ConvertToSSA: 32 texts     the printed program in front shows a second variable of one name as k_1,
 *             with other names or is in SSA form already
 *   CtrlFlowTransform: t_j     the flag of a break is 0 there, which Simplify then cannot compare
 *   Simplify: a46 b06 p17 t_f  the compiler loses what a while carries from a constant, and raises
 *             t_j              for a condition that a break leaves: faults of that version
 *                              (pypto-front-facts 3.2, 3.8)
 *   ConvertTensorToTileOps, LowerCompositeOps: a31
 *                              a store into a tile, which the compiler refuses one pass later
 *   MaterializeDistTensorCtx:  kernels that receive their contexts already; the compiler adds a
 *     K19-...-late, *_ssa      second one, ours leaves them alone
 */
/* clang-format on */
Test(oracle, passes)
{
    static const struct comparison rows[] = {
        {"InlineFunctions", 0, NULL, NULL, LEAST(2, 2, 208, 0)},
        {"UnrollLoops", 0, NULL, NULL, LEAST(1, 1, 209, 0)},
        {"CtrlFlowTransform", 0, NULL, NULL, LEAST(2, 2, 207, 0)},
        {"ConvertToSSA", 0, NULL, NULL, LEAST(210, 178, 0, 0)},
        {"Simplify", 0, NULL, NULL, LEAST(37, 37, 168, 0)},
        {"FlattenCallExpr", 0, NULL, NULL, LEAST(42, 41, 167, 0)},
        {"OutlineHierarchyScopes", 0, NULL, NULL, LEAST(0, 0, 208, 0)},
        {"OutlineIncoreScopes", 0, NULL, NULL, LEAST(3, 3, 205, 0)},
        {"OutlineClusterScopes", 0, NULL, NULL, LEAST(1, 1, 207, 0)},
        {"ConvertTensorToTileOps", 0, NULL, NULL, LEAST(142, 142, 64, 2)},
        {"LowerCompositeOps", 0, NULL, NULL, LEAST(12, 12, 194, 0)},
        {"InferTileMemorySpace", 0, NULL, NULL, LEAST(32, 32, 174, 0)},
        {"LowerAutoVectorSplit", 0, NULL, NULL, LEAST(3, 3, 203, 0)},
        {"ExpandMixedKernel", 0, NULL, NULL, LEAST(161, 161, 45, 0)},
        {"SplitVectorKernel", 0, NULL, NULL, LEAST(5, 5, 201, 0)},
        {"StampTfreeSplit", 0, NULL, NULL, LEAST(2, 2, 204, 0)},
        {"SynthesizeAllReduceSignals", 0, NULL, NULL, LEAST(2, 0, 204, 0)},
        {"MaterializeDistTensorCtx", 0, NULL, NULL, LEAST(158, 158, 37, 0)},
        {"Simplify", 1, NULL, NULL, LEAST(7, 4, 192, 0)},
        {"InsertCommFence", 0, NULL, NULL, LEAST(127, 127, 72, 0)},
    };
    EXPECT_SCORES(rows);
}

/* ---- every block ---- */

/* NULL, or why the text of a block does not read back as what it is. */
static const char *not_read_back(struct arena *a, const char *text)
{
    struct diag d = {.arena = a};
    const struct ir_program *p = ir_parse(a, source_from_string(a, "printed", text), &d);
    const struct ir_program *again =
        p ? ir_parse(a, source_from_string(a, "our text", ir_print(a, p)), &d) : NULL;
    struct ir_difference difference = {.arena = a};
    if (!again)
        return diag_text(&d, a);
    if (!ir_compare(p, again, &difference))
        return difference.words;
    return ir_hash(p) == ir_hash(again) ? NULL : "the hashes differ";
}

Test(oracle, blocks_read_back)
{
    struct arena all = {0};
    texts list = {0};
    size_t blocks = 0, good = 0;
    if (!read_all(&all, &list))
        return;
    vec_foreach (struct printed, p, &list)
        vec_foreach (struct block, b, &p->blocks) {
            struct arena a = {0};
            const char *why = b->text ? not_read_back(&a, b->text) : NULL;
            blocks += b->text != NULL;
            good += b->text && !why;
            if (why && getenv("ORACLE_REPORT"))
                printf("%s, %s: %s\n", p->name,
                       b->position == PARSED ? "parsed" : pipeline[b->position], why);
            arena_free(&a);
        }
    if (getenv("ORACLE_REPORT"))
        printf("%zu of %zu blocks read back\n", good, blocks);
    cr_expect(good == blocks);
    arena_free(&all);
}
