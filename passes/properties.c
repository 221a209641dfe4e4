/* SPDX-License-Identifier: MIT */
#include "passes/properties.h"

#include <string.h>

#include "ir/ops.h"
#include "ir/verify.h"
#include "passes/flatten_call_expr.h"
#include "passes/pass.h"
#include "passes/rewrite.h"
#include "passes/tiling.h"

static enum walk is_unroll(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    return s->kind == IR_FOR && s->for_.kind == IR_UNROLL ? WALK_FOUND : WALK_INTO;
}

static enum walk is_collective(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    const struct ir_call *call = ir_leaf_call(s);
    return call && call->op && call->op->effect == IR_EFFECT_COLLECTIVE ? WALK_FOUND : WALK_INTO;
}

static enum walk is_implicit_allreduce(const struct ir_stmt *s, void *ctx)
{
    const struct ir_call *call = ir_leaf_call(s);
    bool allreduce = is_collective(s, ctx) == WALK_FOUND && call->args.len == 1 &&
                     strcmp(call->op->name, "pld.tensor.allreduce") == 0;
    return allreduce ? WALK_FOUND : WALK_INTO;
}

static enum walk is_free_window(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    const struct ir_call *call = ir_leaf_call(s);
    if (ir_is_comm_domain(s))
        return WALK_OVER;
    return call && call->op && strcmp(call->op->name, "pld.tensor.alloc_window_buffer") == 0
               ? WALK_FOUND
               : WALK_INTO;
}

static bool has_inline(const struct ir_program *p, struct span *at)
{
    vec_foreach (struct ir_func *, f, &p->funcs)
        if ((*f)->type == IR_FUNC_INLINE) {
            *at = (*f)->span;
            return true;
        }
    return false;
}

/* A kernel reads and writes elements of memory; every other operator on tensors works on tiles. */
static enum walk is_tensor_op(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    const struct ir_expr *e = s->kind == IR_ASSIGN ? s->assign.value
                              : s->kind == IR_EVAL ? s->eval
                                                   : NULL;
    const struct tile_form *form = e ? tiling_form(e) : NULL;
    bool tensor = form && strncmp(form->tensor, "tensor.", strlen("tensor.")) == 0;
    bool copies = tensor && strcmp(form->tensor, "tensor.assemble") == 0;
    return tensor && (copies || !tiling_stays(form, e)) ? WALK_FOUND : WALK_INTO;
}

static bool has_tensor_op(const struct ir_program *p, struct span *at)
{
    vec_foreach (struct ir_func *, f, &p->funcs) {
        const struct ir_stmt *s =
            (*f)->type == IR_FUNC_INCORE ? pass_find_stmt(&(*f)->body, is_tensor_op, NULL) : NULL;
        if (s) {
            *at = s->span;
            return true;
        }
    }
    return false;
}

/* One of is_breach, breaks and verifier says what the property means. */
static const struct property {
    struct property_row row;
    const char *breach;            /* what stands where it is broken */
    enum pass_functions functions; /* where is_breach must find no statement */
    enum walk (*is_breach)(const struct ir_stmt *s, void *ctx);
    bool (*breaks)(const struct ir_program *p, struct span *at);
    bool verifier; /* it is one of ir_properties, which know the rest */
} properties[] = {
    {.row = {"InlineFunctionsEliminated", "no function is of type Inline", "pypto-front-facts 3.1"},
     .breach = "this function is of type Inline",
     .breaks = has_inline},
    {.row = {"UnrollResolved", "no loop is a pl.unroll", "pypto-front-facts 3"},
     .breach = "this loop is not unrolled yet",
     .functions = PASS_EVERY,
     .is_breach = is_unroll},
    {.row = {"StructuredCtrlFlow", "no core function holds a break or continue",
             "pypto-front-facts 3.2"},
     .breach = "this statement leaves the order of the text",
     .functions = PASS_CORE,
     .is_breach = pass_is_jump},
    {.row = {.name = "SSAForm"}, .verifier = true},
    {.row = {"NoNestedCalls", "no call is an operand, a condition, a bound, returned or yielded",
             "pypto-front-facts 3.5"},
     .breach = "this call has no name yet",
     .breaks = has_nested_call},
    /* A tensor in memory that is assembled into another one breaks it for good: no core does that. */
    {.row = {"IncoreTileOps", "no InCore function has an operator on tensors as values",
             "pypto-front-facts 3.4"},
     .breach = "this operator on tensors is none on tiles",
     .breaks = has_tensor_op},
    /* Markers go behind the stores and waits that a collective becomes, so none may be left
     * (pypto-facts 1.5). */
    {.row = {"CompositesLowered", "no core function holds a collective", "pypto-front-facts 3.7"},
     .breach = "this collective is not lowered yet",
     .functions = PASS_CORE,
     .is_breach = is_collective},
    {.row = {"SignalsExplicit", "each allreduce of a host orchestrator has a signal",
             "pypto-facts 5.1"},
     .breach = "this allreduce has no signal yet",
     .functions = PASS_HOST,
     .is_breach = is_implicit_allreduce},
    {.row = {.name = "CommDomainScopesMaterialized"},
     .breach = "this window belongs to no communication domain yet",
     .functions = PASS_HOST,
     .is_breach = is_free_window,
     .verifier = true},
    {.row = {"HostCollectivesLowered", "no host orchestrator holds a collective",
             "pypto-facts 5.2"},
     .breach = "this collective is not lowered yet",
     .functions = PASS_HOST,
     .is_breach = is_collective},
    {.row = {.name = "DistTensorCtxMaterialized"}, .verifier = true},
};

size_t property_count(void)
{
    return sizeof properties / sizeof *properties;
}

struct property_row property_row(size_t i)
{
    const struct property *property = &properties[i];
    if (!property->verifier)
        return property->row;
    const struct ir_property_row *row = &ir_properties[ir_property_find(property->row.name)];
    return (struct property_row){row->name, row->doc, row->fact};
}

size_t property_find(const char *name)
{
    size_t i = 0;
    while (i < property_count() && strcmp(properties[i].row.name, name) != 0)
        i++;
    return i;
}

static bool find_statement(const struct property *property, const struct ir_program *p,
                           struct span *at)
{
    vec_foreach (struct ir_func *, f, &p->funcs) {
        const struct ir_stmt *found = pass_function_kind(*f) & property->functions
                                          ? pass_find_stmt(&(*f)->body, property->is_breach, NULL)
                                          : NULL;
        if (found) {
            *at = found->span;
            return true;
        }
    }
    return false;
}

bool property_holds(size_t i, const struct ir_program *p, struct diag *d)
{
    const struct property *property = &properties[i];
    struct span at = {0};
    if (property->breaks ? property->breaks(p, &at) : find_statement(property, p, &at))
        return diag_error(d, p->source, at, "%s", property->breach);
    return !property->verifier || verify_property(p, ir_property_find(property->row.name), d);
}
