/* SPDX-License-Identifier: MIT */
#include "passes/pass.h"

#include <string.h>

#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/ops.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/convert_tensor_to_tile_ops.h"
#include "passes/convert_to_ssa.h"
#include "passes/ctrl_flow_transform.h"
#include "passes/expand_mixed_kernel.h"
#include "passes/flatten_call_expr.h"
#include "passes/inline_functions.h"
#include "passes/infer_tile_memory_space.h"
#include "passes/insert_comm_fence.h"
#include "passes/lower_auto_vector_split.h"
#include "passes/lower_composite_ops.h"
#include "passes/lower_host_tensor_collectives.h"
#include "passes/materialize_comm_domain_scopes.h"
#include "passes/materialize_dist_tensor_ctx.h"
#include "passes/outline_cluster_scopes.h"
#include "passes/outline_hierarchy_scopes.h"
#include "passes/outline_incore_scopes.h"
#include "passes/properties.h"
#include "passes/rewrite.h"
#include "passes/simplify.h"
#include "passes/split_vector_kernel.h"
#include "passes/stamp_tfree_split.h"
#include "passes/synthesize_allreduce_signals.h"
#include "passes/unroll_loops.h"

static const struct span no_span;

const char *const pass_batch_names[PASS_BATCH_COUNT] = {"none", "loops", "lines", "use"};

const struct pass passes[] = {
    {
        .name = "InlineFunctions",
        .doc = "put the body of each Inline function in the place of its calls",
        .fact = "pypto-front-facts 3.1",
        .functions = PASS_EVERY,
        .run = inline_functions,
    },
    {
        .name = "UnrollLoops",
        .doc = "write out the rounds of each pl.unroll loop with constant bounds",
        .fact = "pypto-front-facts 3",
        .functions = PASS_EVERY,
        .run = unroll_loops,
    },
    {
        .name = "CtrlFlowTransform",
        .doc = "take break and continue out of core functions",
        .fact = "pypto-front-facts 3.2",
        .functions = PASS_CORE,
        .run = ctrl_flow_transform,
    },
    {
        .name = "ConvertToSSA",
        .doc = "give each variable one definition",
        .fact = "pypto-front-facts 3.3",
        .produces = "SSAForm",
        .functions = PASS_EVERY,
        .run = convert_to_ssa,
    },
    {
        .name = "FlattenCallExpr",
        .doc = "give what a call inside of an expression gives a name, in a statement before",
        .fact = "pypto-front-facts 3.5",
        .functions = PASS_EVERY,
        .run = flatten_call_expr,
    },
    {
        .name = "OutlineHierarchyScopes",
        .doc = "make functions of what an Opaque function runs at another level",
        .fact = "pypto-front-facts 3",
        .functions = PASS_EVERY,
        .run = outline_hierarchy_scopes,
    },
    {
        .name = "OutlineIncoreScopes",
        .doc = "make kernels of the core scopes of a function that launches",
        .fact = "pypto-front-facts 3.6",
        .functions = PASS_EVERY,
        .run = outline_incore_scopes,
    },
    {
        .name = "OutlineClusterScopes",
        .doc = "make a Group of each cluster scope, and a launch in blocks of each pl.spmd",
        .fact = "pypto-front-facts 3.6",
        .functions = PASS_EVERY,
        .run = outline_cluster_scopes,
    },
    {
        .name = "ConvertTensorToTileOps",
        .doc = "turn operators on tensors of a kernel into operators on tiles",
        .fact = "pypto-front-facts 3.4",
        .functions = PASS_EVERY,
        .run = convert_tensor_to_tile_ops,
    },
    {
        .name = "LowerCompositeOps",
        .doc = "turn each collective of a kernel into what a rank does",
        .fact = "pypto-front-facts 3.7",
        .produces = "CompositesLowered",
        .functions = PASS_CHIP | PASS_CORE | PASS_OTHER,
        .run = lower_composite_ops,
    },
    {
        .name = "InferTileMemorySpace",
        .doc = "say where each tile lies, and move those that an operator wants elsewhere",
        .fact = "pypto-ops-facts 2",
        .functions = PASS_CORE,
        .run = infer_tile_memory_space,
    },
    {
        .name = "LowerAutoVectorSplit",
        .doc = "halve what the two vector cores of a cluster share, and take pl.split_aiv away",
        .fact = "pypto-front-facts 2.11, 3.6",
        .functions = PASS_CORE,
        .run = lower_auto_vector_split,
    },
    {
        .name = "ExpandMixedKernel",
        .doc =
            "say which cores of a cluster each kernel runs on, and make lanes of what needs both",
        .fact = "pypto-front-facts 3.6, pypto-ops-facts 3.1",
        .requires = "CompositesLowered",
        .functions = PASS_EVERY,
        .run = expand_mixed_kernel,
    },
    {
        .name = "SplitVectorKernel",
        .doc = "let both vector cores of a cluster run what they share or take part in",
        .fact = "pypto-ops-facts 3.2",
        .functions = PASS_CORE,
        .run = split_vector_kernel,
    },
    {
        .name = "StampTfreeSplit",
        .doc = "repeat at each tfree how its tpop splits the tile",
        .fact = "pypto-front-facts 3",
        .functions = PASS_CORE,
        .run = stamp_tfree_split,
    },
    {
        .name = "SynthesizeAllReduceSignals",
        .doc = "give each allreduce of a host orchestrator a signal of its own",
        .fact = "pypto-facts 5.1",
        .produces = "SignalsExplicit",
        .functions = PASS_HOST,
        .run = synthesize_allreduce_signals,
    },
    {
        .name = "MaterializeCommDomainScopes",
        .doc = "allocate each window on the devices that use it, and mark grouped dispatch loops",
        .fact = "pypto-facts 4",
        .requires = "SignalsExplicit",
        .produces = "CommDomainScopesMaterialized",
        .functions = PASS_HOST,
        .run = materialize_comm_domain_scopes,
    },
    {
        .name = "LowerHostTensorCollectives",
        .doc = "turn each collective of a host orchestrator into dispatches of its builtin kernel",
        .fact = "pypto-facts 5.2",
        .requires = "CommDomainScopesMaterialized",
        .produces = "HostCollectivesLowered",
        .functions = PASS_HOST,
        .run = lower_host_tensor_collectives,
    },
    {
        .name = "MaterializeDistTensorCtx",
        .doc = "make the communication context of each window a parameter",
        .fact = "pypto-facts 1.5, 1.6",
        .produces = "DistTensorCtxMaterialized",
        .functions = PASS_EVERY,
        .run = materialize_dist_tensor_ctx,
    },
    {
        .name = "Simplify",
        .doc = "fold arithmetic, branches, loops and bindings that are known",
        .fact = "pypto-facts 1.5",
        .also_behind = "ConvertToSSA",
        .functions = PASS_EVERY,
        .run = simplify,
    },
    {
        .name = "InsertCommFence",
        .doc = "insert the cache and fence markers around communication in core functions",
        .fact = "pypto-facts 3",
        .requires = "CompositesLowered",
        .produces = "CommFencesInserted",
        .functions = PASS_CORE,
        .inserts_markers = true,
        .run = insert_comm_fence,
    },
};
const size_t pass_count = sizeof passes / sizeof passes[0];

enum pass_functions pass_function_kind(const struct ir_func *f)
{
    if (ir_func_is_host_orchestrator(f))
        return PASS_HOST;
    if (ir_func_is_chip_orchestrator(f))
        return PASS_CHIP;
    return ir_func_is_incore(f) ? PASS_CORE : PASS_OTHER;
}

size_t pass_child_blocks(struct ir_stmt *s, ir_block *out[PASS_MAX_BLOCKS])
{
    switch (s->kind) {
    case IR_IF:
        out[0] = &s->if_.then_body;
        out[1] = &s->if_.else_body;
        return 2;
    case IR_FOR:
        out[0] = &s->for_.body;
        return 1;
    case IR_WHILE:
        out[0] = &s->while_.body;
        return 1;
    case IR_SCOPE:
        out[0] = &s->scope.body;
        return 1;
    default:
        return 0;
    }
}

/* ---- requirements ---- */

static bool produced_before(const struct pass *const *sequence, size_t i, const char *property)
{
    for (size_t j = 0; j < i; j++)
        if (sequence[j]->produces && strcmp(sequence[j]->produces, property) == 0)
            return true;
    return false;
}

bool passes_check(const struct pass *const *sequence, size_t len, const struct ir_program *p,
                  struct diag *d)
{
    for (size_t i = 0; i < len; i++) {
        const struct pass *pass = sequence[i];
        if (!pass->requires || produced_before(sequence, i, pass->requires))
            continue;
        size_t property = property_find(pass->requires);
        if (property == property_count())
            return diag_error(d, NULL, no_span,
                              "pass '%s' requires '%s', which no earlier pass produces", pass->name,
                              pass->requires);
        struct diag breach = {.arena = d->arena};
        if (!property_holds(property, p, &breach))
            return diag_error(d, p->source, breach.span,
                              "pass '%s' requires '%s', which no earlier pass produces: %s",
                              pass->name, pass->requires, breach.message);
    }
    return true;
}

/* ---- lookup ---- */

const struct pass *pass_find(const char *name, struct diag *d)
{
    const char *names[sizeof passes / sizeof passes[0]];
    struct strbuf all = strbuf_make(d->arena);
    for (size_t i = 0; i < pass_count; i++) {
        if (strcmp(passes[i].name, name) == 0)
            return &passes[i];
        names[i] = passes[i].name;
        strbuf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    diag_error(d, NULL, no_span, "unknown pass '%s'%s (passes: %s)", name,
               diag_hint(d->arena, name, names, pass_count), all.text);
    return NULL;
}

/* Resolves names into sequence and leaves out what the options switch off; false with d filled. */
static bool resolve(const char *const *names, size_t len, const struct pass_options *o,
                    const struct pass **sequence, size_t *count, struct diag *d)
{
    *count = 0;
    for (size_t i = 0; i < len; i++) {
        const struct pass *pass = pass_find(names[i], d);
        if (!pass)
            return false;
        if (o->markers || !pass->inserts_markers)
            sequence[(*count)++] = pass;
    }
    return true;
}

/* All of them in their order, one that runs twice in both places. */
static void order_all(const struct pass_options *o, const struct pass **sequence, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < pass_count; i++) {
        if (o->markers || !passes[i].inserts_markers)
            sequence[(*count)++] = &passes[i];
        for (size_t j = i + 1; j < pass_count; j++)
            if (passes[j].also_behind && strcmp(passes[j].also_behind, passes[i].name) == 0)
                sequence[(*count)++] = &passes[j];
    }
}

/* ---- checking what a pass returns ---- */

static bool kept_other_functions(const struct pass *pass, const struct ir_program *before,
                                 const struct ir_program *after, struct diag *d)
{
    for (size_t i = 0; i < before->funcs.len; i++) {
        struct ir_func *f = before->funcs.items[i];
        if (!(pass_function_kind(f) & pass->functions) &&
            (i >= after->funcs.len || after->funcs.items[i] != f))
            return diag_error(d, before->source, f->span,
                              "the function '%s' is of a kind that the pass may not change",
                              f->name);
    }
    return true;
}

static bool has_property(const char *name, const struct ir_program *p, struct diag *d)
{
    size_t property = property_find(name);
    struct diag breach = {.arena = d->arena};
    return property == property_count() || property_holds(property, p, &breach) ||
           diag_error(d, p->source, breach.span, "'%s' does not hold: %s", name, breach.message);
}

static bool reads_back(const struct ir_program *p, struct diag *d)
{
    struct arena a = {0};
    /* An error shows the text, so the text outlives this function. */
    const struct source *text =
        source_from_string(d->arena, "the printed program", ir_print(&a, p));
    const struct ir_program *again = ir_parse(&a, text, d);
    bool same = again && ir_equal(p, again) && ir_hash(p) == ir_hash(again);
    if (!same)
        diag_error(d, p->source, no_span, "the printed program reads back as another one");
    arena_free(&a);
    return same;
}

static bool verified(const struct pass *pass, const struct ir_program *before,
                     const struct ir_program *after, struct diag *d)
{
    return verify_program(after, d) && kept_other_functions(pass, before, after, d) &&
           (!pass->produces || has_property(pass->produces, after, d)) && reads_back(after, d);
}

/* ---- running ---- */

/* Runs one pass; an error names it. */
static const struct ir_program *run_pass(const struct pass *pass, struct arena *a,
                                         const struct ir_program *p, const struct pass_options *o,
                                         struct diag *d)
{
    const char *when = "";
    const struct ir_program *out = pass->run(a, p, o, d);
    if (out && o->verify_each && !verified(pass, p, out, d)) {
        when = "after ";
        out = NULL;
    }
    if (!out)
        d->message = arena_printf(d->arena, "%s%s: %s", when, pass->name, d->message);
    return out;
}

const struct ir_program *passes_run_sequence(struct arena *a, const struct ir_program *p,
                                             const struct pass *const *sequence, size_t len,
                                             const struct pass_options *o,
                                             const struct pass_hooks *hooks, struct diag *d)
{
    static const struct pass_hooks quiet;
    const struct pass_hooks *h = hooks ? hooks : &quiet;
    if (!passes_check(sequence, len, p, d))
        return NULL;
    for (size_t i = 0; i < len && p; i++) {
        if (h->print_before)
            h->print_before(h->ctx, sequence[i], p);
        p = run_pass(sequence[i], a, p, o, d);
        if (p && h->print_after)
            h->print_after(h->ctx, sequence[i], p);
    }
    return p;
}

const struct ir_program *passes_run(struct arena *a, const struct ir_program *p,
                                    const char *const *names, size_t len,
                                    const struct pass_options *o, const struct pass_hooks *hooks,
                                    struct diag *d)
{
    size_t count;
    const struct pass **sequence =
        arena_array(a, const struct pass *, names ? len : 2 * pass_count);
    if (!names)
        order_all(o, sequence, &count);
    else if (!resolve(names, len, o, sequence, &count, d))
        return NULL;
    return passes_run_sequence(a, p, sequence, count, o, hooks, d);
}
