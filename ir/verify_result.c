/* SPDX-License-Identifier: MIT */
/* Annotated results: x: T = f(...) (pypto-front-facts 2.8). */
#include "ir/verify_internal.h"

static bool differ(const struct ir_expr *x, const struct ir_expr *y)
{
    int64_t m, n;
    return ir_const_int(x, &m) && ir_const_int(y, &n) && m != n;
}

/* The facts give the results of these; what a view or an arithmetic operator returns may depend on
 * passes that have run. */
static bool has_stated_result(const struct ir_op *op)
{
    return op->effect != IR_EFFECT_PURE || op->result == IR_RESULT_INT32 ||
           op->result == IR_RESULT_CTX || op->result == IR_RESULT_PTR;
}

/* Passes make tiles of more dimensions two-dimensional, merging all but the last extent; the call
 * keeps its own (pypto-front-facts 3, FlattenTileNdTo2D). */
static bool is_flattened(const struct ir_type *declared, const struct ir_type *given)
{
    int64_t rows = 1, extent;
    size_t last = given->shape.len - 1;
    if (declared->kind != IR_TYPE_TILE || declared->shape.len != 2 || given->shape.len <= 2)
        return false;
    for (size_t i = 0; i < last; i++)
        if (!ir_const_int(given->shape.items[i], &extent) ||
            __builtin_mul_overflow(rows, extent, &rows))
            return true; /* not known */
    return !(ir_const_int(declared->shape.items[0], &extent) && extent != rows) &&
           !differ(declared->shape.items[1], given->shape.items[last]);
}

/* An extent that is no number is whatever it has to be. */
static bool shapes_agree(const struct ir_type *declared, const struct ir_type *given)
{
    if (!verify_is_shaped(declared) || !verify_is_shaped(given))
        return true;
    if (declared->shape.len != given->shape.len)
        return is_flattened(declared, given);
    for (size_t i = 0; i < given->shape.len; i++)
        if (differ(declared->shape.items[i], given->shape.items[i]))
            return false;
    return true;
}

static bool results_agree(const struct verifier *v, const struct ir_type *declared,
                          const struct ir_type *given)
{
    bool tuples = declared->kind == IR_TYPE_TUPLE && given->kind == IR_TYPE_TUPLE &&
                  declared->elems.len == given->elems.len;
    for (size_t i = 0; tuples && i < given->elems.len; i++)
        if (!results_agree(v, declared->elems.items[i], given->elems.items[i]))
            return false;
    return shapes_agree(declared, given);
}

/* What is written as the result of a jit function is not what it returns. */
static bool has_known_result(struct verifier *v, const struct ir_call *call)
{
    if (call->callee == IR_CALLEE_OP)
        return true;
    bool user = call->callee == IR_CALLEE_USER || call->callee == IR_CALLEE_SUBMIT;
    const struct ir_func *f = user ? ir_find_func(v->prog, call->name) : NULL;
    return f && !f->jit;
}

/* x: T = f(...): T is a type that the call can have. */
bool verify_result(struct verifier *v, const struct ir_stmt *s)
{
    const struct ir_expr *e = s->assign.value;
    const struct ir_type *given = e->type, *declared = s->assign.targets.items[0]->type;
    bool judged = s->assign.annotated && s->assign.targets.len == 1 && e->kind == IR_CALL &&
                  given && declared && has_known_result(v, &e->call);
    if (!judged)
        return true;
    bool stated = e->call.callee == IR_CALLEE_OP && has_stated_result(e->call.op),
         same = given->kind == declared->kind && given->dtype == declared->dtype;
    if ((same || !stated) && results_agree(v, declared, given))
        return true;
    return verify_fail(v, IR_RULE_RESULT_TYPE,
                       s->assign.annotation.line ? s->assign.annotation : s->span,
                       s->assign.targets.items[0]->name, verify_type(v, declared), e->call.name,
                       verify_type(v, given), NULL);
}
