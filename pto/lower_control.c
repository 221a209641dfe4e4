/* SPDX-License-Identifier: MIT */
/* Loops, branches and calls. */
#include <string.h>

#include "pto/lower.h"

enum { MAX_CALLS = 16 };

/* ---- what is carried ---- */

/* A register of its own for a value that several places define: a number, or a pointer, whose memory is
 * that of the first. */
static struct slot *carry(struct lower *l, const struct pto_value *v, const struct slot *init)
{
    struct slot *s = lower_new(l, v);
    if (init)
        *s = *init;
    else if (v->type->kind == PTO_SCALAR)
        s->kind = SLOT_NUMBER;
    else if (v->type->kind == PTO_POINTER)
        s->kind = SLOT_POINTER;
    if (v->type->elem)
        lower_elem(v->type->elem, &s->elem);
    s->op = reg_operand(build_reg(&l->build, v->name + 1));
    return s;
}

/* The value of an operand, a pointer with its constant bytes in its register. */
static bool value_of(struct lower *l, const struct pto_operand *o, struct slot *out)
{
    const struct slot *s = o->value ? map_get(&l->slots, o->value) : NULL;
    if (s && s->kind == SLOT_POINTER) {
        *out = *s;
        out->op =
            s->op.imm && s->op.reg != NO_REG
                ? build_alu(&l->build, ALU_ADD, reg_operand(s->op.reg), imm_operand(s->op.imm))
                : s->op;
        return true;
    }
    if (s && s->kind == SLOT_VIEW) {
        *out = *s;
        return true;
    }
    *out = (struct slot){.kind = SLOT_NUMBER};
    return lower_number(l, o, &out->op);
}

/* All at once: later ones may name what earlier ones change. */
static bool assign(struct lower *l, const slot_list *to, const struct pto_op *op, int first)
{
    size_t n = op->operands.len - (size_t)first;
    if (op->operands.len < (size_t)first || n != to->len)
        return lower_error(l, op->span, "'%s' hands on %zu values; expected %zu", op->spelled,
                           op->operands.len, to->len);
    struct slot *values = arena_array(l->arena, struct slot, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (!value_of(l, &op->operands.items[(size_t)first + i], &values[i]))
            return false;
        bool read_later = n > 1 && values[i].op.reg != NO_REG;
        if (read_later)
            values[i].op = build_copy_reg(&l->build, values[i].op);
    }
    for (size_t i = 0; i < n; i++) {
        struct slot *s = to->items[i];
        if ((s->kind != values[i].kind && s->kind != SLOT_NONE) || values[i].kind == SLOT_VIEW)
            return lower_error(l, op->span, "a value of another kind is handed on");
        bool fresh = s->kind == SLOT_POINTER && s->region < 0 && s->use.root == NO_REG;
        if (fresh || s->kind == SLOT_NONE) {
            struct operand reg = s->op;
            *s = values[i];
            s->op = reg;
        } else if (s->kind == SLOT_POINTER && s->region != values[i].region) {
            s->region = -1;
            s->use.root = NO_REG;
        }
        if (values[i].op.reg != s->op.reg || s->op.reg == NO_REG)
            build_move(&l->build, s->op.reg, values[i].op);
    }
    return true;
}

static bool carry_inits(struct lower *l, const struct pto_op *op, const struct pto_block *b,
                        size_t skip, slot_list *out)
{
    for (size_t i = skip; i < b->args.len; i++) {
        struct slot init;
        const struct pto_operand *o = pto_find_operand(op, "init", (int)(i - skip));
        if (!o)
            return lower_error(l, op->span, "the loop carries a value that it does not begin with");
        if (!value_of(l, o, &init))
            return false;
        struct slot *s = carry(l, b->args.items[i], init.kind == SLOT_POINTER ? &init : NULL);
        build_move(&l->build, s->op.reg, init.op);
        vec_push(l->arena, out, s);
    }
    return true;
}

static bool bind_results(struct lower *l, const struct pto_op *op, const slot_list *from)
{
    if (op->results.len > from->len)
        return lower_error(l, op->span, "'%s' has %zu results and carries %zu values", op->spelled,
                           op->results.len, from->len);
    for (size_t i = 0; i < op->results.len; i++)
        *lower_new(l, op->results.items[i]) = *from->items[i];
    return true;
}

static bool body_of(struct lower *l, const struct pto_region *r, slot_list *yields)
{
    slot_list *outer = l->yields;
    l->yields = yields;
    bool ok = lower_region(l, r);
    l->yields = outer;
    return ok;
}

static bool has_regions(struct lower *l, const struct pto_op *op, size_t n)
{
    return op->regions.len == n || lower_error(l, op->span, "'%s' has %zu regions; expected %zu",
                                               op->spelled, op->regions.len, n);
}

/* ---- loops ---- */

static const char *variable_name(struct lower *l, const struct pto_value *v)
{
    const char *name = v->name + 1, *end = strstr(name, "__");
    return end && end > name ? arena_strndup(l->arena, name, (size_t)(end - name)) : name;
}

static int enter_loop(struct lower *l, const struct pto_op *op, const struct pto_value *v, int reg)
{
    int outer = l->in_loop;
    struct counted_loop loop = {
        .name = variable_name(l, v), .reg = reg, .line = op->span.line, .outer = outer};
    vec_push(l->arena, &l->loops, loop);
    l->in_loop = (int)l->loops.len;
    return outer;
}

static void step_by(struct lower *l, int reg, struct operand step)
{
    struct insn i = build_insn(&l->build, I_ALU);
    i.sub = ALU_ADD;
    i.rd = i.ra = reg;
    i.rb = step.reg;
    i.imm = step.imm;
    build_emit(&l->build, i);
}

static void end_loop(struct lower *l, int top, int exit)
{
    struct builder *b = &l->build;
    build_branch_to(b, I_JMP, NO_REG, top);
    build_patch_here(b, exit);
    vec_push(l->arena, &l->flows, (struct flow_code){top, exit + 1, build_here(b), true});
}

bool lower_for(struct lower *l, const struct pto_op *op)
{
    struct builder *b = &l->build;
    struct operand bounds[3];
    static const char *const groups[] = {"lower", "upper", "step"};
    if (!has_regions(l, op, 1))
        return false;
    const struct pto_block *block = op->regions.items[0]->blocks.items[0];
    for (int i = 0; i < 3; i++) {
        const struct pto_operand *o = pto_find_operand(op, groups[i], 0);
        if (!o || !block->args.len)
            return lower_error(l, op->span, "this loop says no bounds");
        if (!lower_number(l, o, &bounds[i]))
            return false;
    }
    if (bounds[2].reg == NO_REG && bounds[2].imm <= 0)
        return lower_error(l, op->span, "a loop counts upward: its step must be positive");
    slot_list carried = {0};
    if (!carry_inits(l, op, block, 1, &carried))
        return false;
    struct slot *var = carry(l, block->args.items[0], NULL);
    build_move(b, var->op.reg, bounds[0]);
    int top = build_here(b);
    int exit = build_branch(b, I_BZ, build_alu(b, ALU_LT, var->op, bounds[1]).reg);
    int outer = enter_loop(l, op, block->args.items[0], var->op.reg);
    bool ok = body_of(l, op->regions.items[0], &carried);
    l->in_loop = outer;
    step_by(l, var->op.reg, bounds[2]);
    end_loop(l, top, exit);
    return ok && bind_results(l, op, &carried);
}

bool lower_while(struct lower *l, const struct pto_op *op)
{
    slot_list carried = {0}, handed = {0};
    if (!has_regions(l, op, 2))
        return false;
    const struct pto_block *before = op->regions.items[0]->blocks.items[0],
                           *after = op->regions.items[1]->blocks.items[0];
    if (!carry_inits(l, op, before, 0, &carried))
        return false;
    for (size_t i = 0; i < after->args.len; i++)
        vec_push(l->arena, &handed, carry(l, after->args.items[i], NULL));
    slot_list *conditions = l->conditions;
    int while_exit = l->while_exit, top = build_here(&l->build);
    l->conditions = &handed;
    l->while_exit = -1;
    bool ok = lower_region(l, op->regions.items[0]);
    int exit = l->while_exit;
    l->conditions = conditions;
    l->while_exit = while_exit;
    if (ok && exit < 0)
        return lower_error(l, op->span, "the loop's first region does not end in scf.condition");
    ok = ok && body_of(l, op->regions.items[1], &carried);
    if (ok)
        end_loop(l, top, exit);
    return ok && bind_results(l, op, &handed);
}

bool lower_condition(struct lower *l, const struct pto_op *op)
{
    struct operand c;
    if (!l->conditions || l->while_exit >= 0)
        return lower_error(l, op->span, "outside of the first region of a loop");
    if (!op->operands.len || !lower_number(l, &op->operands.items[0], &c) ||
        !assign(l, l->conditions, op, 1))
        return lower_error(l, op->span, "expected a condition");
    l->while_exit = build_branch(&l->build, I_BZ, build_in_reg(&l->build, c));
    return true;
}

/* ---- branches ---- */

bool lower_if(struct lower *l, const struct pto_op *op)
{
    struct builder *b = &l->build;
    struct operand c;
    slot_list results = {0};
    if (op->regions.len < 1 || op->regions.len > 2 || op->operands.len != 1)
        return lower_error(l, op->span, "expected a condition and one or two regions");
    if (!lower_number(l, &op->operands.items[0], &c))
        return false;
    for (size_t i = 0; i < op->results.len; i++)
        vec_push(l->arena, &results, carry(l, op->results.items[i], NULL));
    int skip = build_branch(b, I_BZ, build_in_reg(b, c)), middle = -1;
    if (!body_of(l, op->regions.items[0], &results))
        return false;
    if (op->regions.len == 2) {
        int end = build_branch(b, I_JMP, NO_REG);
        build_patch_here(b, skip);
        middle = build_here(b);
        if (!body_of(l, op->regions.items[1], &results))
            return false;
        build_patch_here(b, end);
    } else {
        build_patch_here(b, skip);
    }
    int end = build_here(b);
    vec_push(l->arena, &l->flows, (struct flow_code){skip, middle < 0 ? end : middle, end, false});
    return true;
}

bool lower_yield(struct lower *l, const struct pto_op *op)
{
    if (!op->operands.len)
        return true;
    return l->yields ? assign(l, l->yields, op, 0)
                     : lower_error(l, op->span, "nothing takes the values yielded here");
}

/* ---- calls ---- */

static const struct pto_op *find_function(const struct pto_block *b, const char *symbol)
{
    vec_foreach (struct pto_op *, op, &b->ops) {
        if (!strcmp((*op)->name, "func.func") && (*op)->symbol && !strcmp((*op)->symbol, symbol))
            return *op;
        const struct pto_op *inner = NULL;
        if (!strcmp((*op)->name, "module") && (*op)->regions.len)
            inner = find_function((*op)->regions.items[0]->blocks.items[0], symbol);
        if (inner)
            return inner;
    }
    return NULL;
}

const struct pto_op *lower_callee(const struct lower *l, const struct pto_op *call)
{
    const struct pto_op *f = call->symbol ? find_function(&l->file->top, call->symbol) : NULL;
    return f && f->regions.len ? f : NULL;
}

/* The code of the function where its call stands. */
bool lower_call(struct lower *l, const struct pto_op *op)
{
    const struct pto_op *f = lower_callee(l, op);
    if (f && tasks_skip(l, tasks_kind(f)))
        return true;
    if (!f)
        return lower_error(l, op->span, "no function '@%s' with a body is in this file",
                           op->symbol ? op->symbol : "");
    const struct pto_block *b = f->regions.items[0]->blocks.items[0];
    if (l->depth++ >= MAX_CALLS)
        return lower_error(l, op->span, "calls are nested more than %d deep", MAX_CALLS);
    if (b->args.len != op->operands.len)
        return lower_error(l, op->span, "'@%s' takes %zu arguments, not %zu", f->symbol,
                           b->args.len, op->operands.len);
    for (size_t i = 0; i < b->args.len; i++) {
        const struct slot *s = map_get(&l->slots, op->operands.items[i].value);
        if (!s)
            return lower_error(l, op->operands.items[i].span, "expected a value");
        *lower_new(l, b->args.items[i]) = *s;
    }
    slot_list outer = l->returned;
    bool vector = l->vector;
    l->vector = tasks_kind(f) ? !strcmp(tasks_kind(f), "vector") : vector;
    l->returned = (slot_list){0};
    bool ok = tiles_prepare(l, f) && lower_region(l, f->regions.items[0]) &&
              bind_results(l, op, &l->returned);
    l->returned = outer;
    l->vector = vector;
    l->depth--;
    return ok;
}

/* A function ends in its only return. */
bool lower_return(struct lower *l, const struct pto_op *op)
{
    vec_foreach (const struct pto_operand, o, &op->operands) {
        struct slot *s = arena_new(l->arena, struct slot);
        if (!value_of(l, o, s))
            return false;
        vec_push(l->arena, &l->returned, s);
    }
    return true;
}

/* A part for one kind of core: it runs where the function does, or on cores of its kind where the function
 * has parts for both. */
bool lower_section(struct lower *l, const struct pto_op *op)
{
    bool outer = l->vector, ok = true, vector = !strcmp(op->name, "pto.section.vector");
    if (tasks_skip(l, vector ? "vector" : "cube"))
        return true;
    l->vector = vector;
    vec_foreach (struct pto_region *, r, &op->regions)
        ok = ok && lower_region(l, *r);
    l->vector = outer;
    return ok;
}

bool lower_block_index(struct lower *l, const struct pto_op *op)
{
    return lower_set_number(l, op, bind_block(l, op->name));
}
