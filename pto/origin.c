/* SPDX-License-Identifier: MIT */
/*
 * Whose a marker is: a file does not say, but each rule of the compiler's pass, and code generation,
 * put theirs at places of their own (pto-facts 3.3).
 */
#include <string.h>

#include "pto/lower.h"

static bool is(const struct pto_op *op, const char *name)
{
    return op && !strcmp(op->name, name);
}

static bool is_barrier(const struct pto_op *op)
{
    return is(op, "pto.barrier");
}

static bool is_region_cacheinvalid(const struct pto_op *op)
{
    return is(op, "pto.cmo.cacheinvalid") && op->operands.len;
}

static bool is_all(const struct pto_op *op)
{
    return is(op, "pto.cmo.cacheinvalid") && !op->operands.len;
}

static bool is_marker(const struct pto_op *op)
{
    return is(op, "pto.cmo.cacheinvalid") || is(op, "pto.fence.barrier_all") || is_barrier(op);
}

/* What stands in front of, or with step 1 behind, operation i, without what only computes. */
static const struct pto_op *beside(const struct pto_block *b, size_t i, int step)
{
    for (size_t at = i + (size_t)step; at < b->ops.len; at += (size_t)step)
        if (!lower_is_pure(b->ops.items[at]))
            return b->ops.items[at];
    return NULL;
}

/* The operation that the markers in front of i belong to. */
static const struct pto_op *marked(const struct pto_block *b, size_t i)
{
    for (size_t at = i - 1; at < b->ops.len; at--) {
        const struct pto_op *op = b->ops.items[at];
        if (!lower_is_pure(op) && !is_barrier(op) && !is_region_cacheinvalid(op))
            return op;
    }
    return NULL;
}

static bool is_macro(const struct pto_op *op)
{
    return is(op, "pto.comm.tput") || is(op, "pto.comm.tget");
}

/* Whether all that a loop or a branch does is to wait; *waits: it does that at all. */
static bool nothing_else(const struct pto_op *op, bool *waits)
{
    if (!is(op, "scf.for") && !is(op, "scf.if"))
        return false;
    vec_foreach (struct pto_region *, r, &op->regions)
        vec_foreach (struct pto_op *, inner, &(*r)->blocks.items[0]->ops) {
            bool wait = is(*inner, "pto.comm.twait");
            *waits |= wait;
            if (!wait && !is(*inner, "scf.yield") && !lower_is_pure(*inner) &&
                !nothing_else(*inner, waits))
                return false;
        }
    return true;
}

/* A loop that only waits, whatever decides for how often. */
static bool only_waits(const struct pto_op *op)
{
    bool waits = false;
    return is(op, "scf.for") && nothing_else(op, &waits) && waits;
}

static bool writes_peer(struct lower *l, const struct pto_op *op)
{
    const struct pto_operand *o = is(op, "pto.tstore") ? pto_find_operand(op, "outs", 0) : NULL;
    const struct slot *s = o && o->value ? map_get(&l->slots, o->value) : NULL;
    return s && s->use.peer;
}

static enum origin_kind write_rule(struct lower *l, const struct pto_op *of, bool cacheinvalid)
{
    if (is(of, "pto.comm.tput") || writes_peer(l, of))
        return cacheinvalid ? ORIGIN_CODEGEN : ORIGIN_W2;
    bool own = is(of, "pto.tstore") || is(of, "pto.store_scalar") || is(of, "pto.comm.tget");
    return own ? ORIGIN_W1 : ORIGIN_HAND;
}

enum origin_kind lower_origin(struct lower *l, const struct pto_block *b, size_t i)
{
    const struct pto_op *op = b->ops.items[i];
    if (!is_marker(op))
        return ORIGIN_USER;
    const struct pto_op *front = beside(b, i, -1), *next = beside(b, i, 1);
    if (is_barrier(op)) {
        bool macro = is_macro(front) || is_macro(next) || is(next, "pto.comm.tnotify");
        return macro ? ORIGIN_CODEGEN : ORIGIN_HAND;
    }
    /* Behind a call that the pass does not see into: the whole cache, then a fence. */
    if (is_all(op) && is(next, "pto.fence.barrier_all"))
        return ORIGIN_W3;
    if (is(op, "pto.fence.barrier_all") && is_all(front))
        return ORIGIN_W3;
    if (is(op, "pto.fence.barrier_all"))
        return write_rule(l, marked(b, i), false);
    if (is_region_cacheinvalid(op))
        return write_rule(l, marked(b, i), true);
    return is(front, "pto.comm.twait") || only_waits(front) ? ORIGIN_R1 : ORIGIN_HAND;
}

const char *lower_barrier_name(const struct lower *l)
{
    const struct pto_op *front = beside(l->block, l->at, -1), *next = beside(l->block, l->at, 1);
    if (l->origin != ORIGIN_CODEGEN)
        return "barrier";
    if (is_macro(front))
        return is(front, "pto.comm.tput") ? "barrier after TPUT" : "barrier after TGET";
    if (is(next, "pto.comm.tnotify"))
        return "barrier before TNOTIFY";
    return is(next, "pto.comm.tput") ? "barrier before TPUT" : "barrier before TGET";
}
