/* SPDX-License-Identifier: MIT */
/* Branches and loops as regions, with what they carry as results. */
#include <string.h>

#include "pto/emit_internal.h"

typedef VEC(int) reg_list;

static const struct insn *insn_at(const struct emitter *e, int i)
{
    return &e->b->code.items[i];
}

/* ---- what a region defines: what an operation counts is the library's ---- */

static bool *assigned(struct emitter *e, int first, int end)
{
    bool *set = arena_array(e->arena, bool, e->b->reg_names.len + 1);
    for (int i = first; i < end; i++)
        if ((insn_kind(insn_at(e, i))->writes & REG_RD) &&
            (!emitter_in_operation(e, i) || e->needed[insn_at(e, i)->rd]))
            set[insn_at(e, i)->rd] = true;
    return set;
}

/* Registers that hold something before and are changed inside. */
static reg_list carried_by(struct emitter *e, const bool *set)
{
    reg_list list = {0};
    for (int r = 0; r < (int)e->b->reg_names.len; r++)
        if (set[r] && e->regs[r].kind != VALUE_NONE)
            vec_push(e->arena, &list, r);
    return list;
}

/* Numbers are carried; of a pointer its bytes. */
static const char *carried_value(struct emitter *e, int reg)
{
    struct value v = e->regs[reg];
    if (v.kind != VALUE_POINTER)
        return v.kind == VALUE_CONSTANT || v.type == VALUE_I1 ? emitter_index(e, &v)
                                                              : emitter_typed(e, &v, v.type);
    if (v.name && v.n) {
        const char *sum = emitter_new(e);
        emitter_line(e, "%s = arith.addi %s, %s : index", sum, v.name,
                     emitter_constant(e, v.n, "index"));
        return sum;
    }
    return v.name ? v.name : emitter_constant(e, v.n, "index");
}

static enum value_type carried_type(const struct value *v)
{
    return v->kind == VALUE_NUMBER && v->type != VALUE_I1 ? v->type : VALUE_INDEX;
}

/* From here on the register is that value. */
static void bind(struct emitter *e, int reg, const char *name, const struct value *like)
{
    struct value v = emitter_number(name, carried_type(like));
    if (like->kind == VALUE_POINTER) {
        v = *like;
        v.name = name;
        v.n = 0;
    }
    e->regs[reg] = v;
}

/* "a, b" and "index, index" of the registers' values. */
static bool values_of(struct emitter *e, const reg_list *list, const struct value *like,
                      struct strbuf *names, struct strbuf *types)
{
    *names = strbuf_make(e->arena);
    *types = strbuf_make(e->arena);
    for (size_t i = 0; i < list->len; i++) {
        int reg = list->items[i];
        const struct value *v = &e->regs[reg];
        bool pointer = v->kind == VALUE_POINTER;
        if (pointer != (like[reg].kind == VALUE_POINTER) ||
            (pointer && strcmp(v->base, like[reg].base)))
            return emitter_error(
                e, "an address that is one of several tensors is not printed as .pto");
        const char *name = carried_value(e, reg);
        if (!name)
            return false;
        strbuf_addf(names, "%s%s", i ? ", " : "", name);
        strbuf_addf(types, "%s%s", i ? ", " : "", value_type_names[carried_type(&like[reg])]);
    }
    return true;
}

static struct value *snapshot(struct emitter *e)
{
    return arena_dup(e->arena, e->regs, sizeof *e->regs * (e->b->reg_names.len + 1));
}

/* Behind a region: as before, but what it carries. */
static void restore(struct emitter *e, const struct value *before)
{
    memcpy(e->regs, before, sizeof *e->regs * (e->b->reg_names.len + 1));
}

static const char *new_names(struct emitter *e, const reg_list *list, const char **each)
{
    struct strbuf b = strbuf_make(e->arena);
    for (size_t i = 0; i < list->len; i++) {
        each[i] = emitter_new(e);
        strbuf_addf(&b, "%s%s", i ? ", " : "", each[i]);
    }
    return b.len ? b.text : "";
}

static void bind_all(struct emitter *e, const reg_list *list, const char *const *names,
                     const struct value *like)
{
    for (size_t i = 0; i < list->len; i++)
        bind(e, list->items[i], names[i], &like[list->items[i]]);
}

/* "%a = %x, %b = %y" */
static const char *inits(struct emitter *e, const reg_list *list, const char *const *names,
                         const char *values)
{
    struct strbuf b = strbuf_make(e->arena);
    for (size_t i = 0; i < list->len; i++) {
        size_t n = strcspn(values, ",");
        strbuf_addf(&b, "%s%s = %.*s", i ? ", " : "", names[i], (int)n, values);
        values += n + (values[n] ? 2 : 0);
    }
    return b.len ? b.text : "";
}

/* ---- loops ---- */

struct loop {
    int begin, body, end; /* end: behind the jump back */
    int var;              /* of a counted one, or NO_REG */
    struct operand bound, step;
};

/* for (var = what it is; var < bound; var += step), with a bound and a step that the body leaves as
 * they are. */
static void find_counting(struct emitter *e, struct loop *l)
{
    const struct insn *test = insn_at(e, l->begin), *leave = insn_at(e, l->body - 1),
                      *step = insn_at(e, l->end - 2);
    bool shape = l->body == l->begin + 2 && l->end - 2 >= l->body && test->op == I_ALU &&
                 test->sub == ALU_LT && test->ra != NO_REG && leave->op == I_BZ &&
                 leave->ra == test->rd && step->op == I_ALU && step->sub == ALU_ADD &&
                 step->rd == test->ra && step->ra == step->rd;
    if (!shape)
        return;
    const bool *set = assigned(e, l->body, l->end - 2);
    struct operand bound = {test->rb, test->imm}, by = {step->rb, step->imm};
    if (set[test->ra] || (bound.reg != NO_REG && set[bound.reg]) ||
        (by.reg != NO_REG && set[by.reg]) || (by.reg == NO_REG && by.imm <= 0) ||
        e->regs[test->ra].kind == VALUE_POINTER)
        return;
    l->var = test->ra;
    l->bound = bound;
    l->step = by;
}

static bool counted_loop(struct emitter *e, const struct loop *l)
{
    bool *set = assigned(e, l->body, l->end - 2);
    struct value from = e->regs[l->var], to = emitter_operand(e, l->bound),
                 by = emitter_operand(e, l->step);
    e->regs[l->var].kind = VALUE_NONE;
    reg_list list = carried_by(e, set);
    struct value *before = snapshot(e);
    struct strbuf values, types;
    const char *lower = emitter_index(e, &from), *upper = lower ? emitter_index(e, &to) : NULL,
               *step = upper ? emitter_index(e, &by) : NULL, *var = emitter_new(e);
    const char **inner = arena_array(e->arena, const char *, list.len + 1),
               **outer = arena_array(e->arena, const char *, list.len + 1);
    if (!step || !values_of(e, &list, before, &values, &types))
        return false;
    const char *results = new_names(e, &list, outer);
    new_names(e, &list, inner);
    const char *carries = list.len ? arena_printf(e->arena, " iter_args(%s) -> (%s)",
                                                  inits(e, &list, inner, values.text), types.text)
                                   : "";
    emitter_line(e, "%s%sscf.for %s = %s to %s step %s%s {", results, list.len ? " = " : "", var,
                 lower, upper, step, carries);
    e->depth++;
    bind_all(e, &list, inner, before);
    e->regs[l->var] = emitter_number(var, VALUE_INDEX);
    if (!emitter_range(e, l->body, l->end - 2))
        return false;
    if (list.len && !values_of(e, &list, before, &values, &types))
        return false;
    if (list.len)
        emitter_line(e, "scf.yield %s : %s", values.text, types.text);
    e->depth--;
    emitter_line(e, "}");
    restore(e, before);
    bind_all(e, &list, outer, before);
    return true;
}

/* "%a: index, %b: index" */
static const char *arguments(struct emitter *e, const reg_list *list, const char *const *names,
                             const struct value *like)
{
    struct strbuf b = strbuf_make(e->arena);
    for (size_t i = 0; i < list->len; i++)
        strbuf_addf(&b, "%s%s: %s", i ? ", " : "", names[i],
                    value_type_names[carried_type(&like[list->items[i]])]);
    return b.len ? b.text : "";
}

static bool while_loop(struct emitter *e, const struct loop *l)
{
    reg_list list = carried_by(e, assigned(e, l->begin, l->end));
    struct value *before = snapshot(e);
    struct strbuf values, types;
    const char **test = arena_array(e->arena, const char *, list.len + 1),
               **body = arena_array(e->arena, const char *, list.len + 1),
               **outer = arena_array(e->arena, const char *, list.len + 1);
    if (!values_of(e, &list, before, &values, &types))
        return false;
    const char *results = new_names(e, &list, outer);
    new_names(e, &list, test);
    new_names(e, &list, body);
    emitter_line(e, "%s%sscf.while (%s) : (%s) -> (%s) {", results, list.len ? " = " : "",
                 inits(e, &list, test, values.text), types.len ? types.text : "",
                 types.len ? types.text : "");
    e->depth++;
    bind_all(e, &list, test, before);
    if (!emitter_range(e, l->begin, l->body - 1))
        return false;
    struct value c = e->regs[insn_at(e, l->body - 1)->ra];
    const char *goes_on = emitter_i1(e, &c);
    if (!goes_on || !values_of(e, &list, before, &values, &types))
        return false;
    emitter_line(e, "scf.condition(%s)%s%s%s%s", goes_on, list.len ? " " : "",
                 list.len ? values.text : "", list.len ? " : " : "", list.len ? types.text : "");
    emitter_line(e, "} do {");
    emitter_line(e, "^bb0(%s):", arguments(e, &list, body, before));
    restore(e, before);
    bind_all(e, &list, body, before);
    if (!emitter_range(e, l->body, l->end - 1) || !values_of(e, &list, before, &values, &types))
        return false;
    emitter_line(e, "scf.yield%s%s%s%s", list.len ? " " : "", list.len ? values.text : "",
                 list.len ? " : " : "", list.len ? types.text : "");
    e->depth--;
    emitter_line(e, "}");
    restore(e, before);
    bind_all(e, &list, outer, before);
    return true;
}

static bool emit_loop(struct emitter *e, const struct flow_code *f)
{
    struct loop l = {.begin = f->begin, .body = f->middle, .end = f->end, .var = NO_REG};
    if (insn_at(e, f->middle - 1)->op != I_BZ || insn_at(e, f->end - 1)->op != I_JMP)
        return emitter_error(e, "a loop of this form is not printed as .pto");
    find_counting(e, &l);
    return (l.var != NO_REG ? counted_loop : while_loop)(e, &l);
}

/* ---- branches ---- */

/* What one of two regions leaves in registers that both define, or that held something before. */
static reg_list joined(struct emitter *e, const bool *then, const bool *other)
{
    reg_list list = {0};
    for (int r = 0; r < (int)e->b->reg_names.len; r++)
        if (e->regs[r].kind != VALUE_NONE ? then[r] || other[r] : then[r] && other[r])
            vec_push(e->arena, &list, r);
    return list;
}

/* A region's text is made before it is known of what types its results are. */
static bool branch(struct emitter *e, int first, int end, struct strbuf *text, struct value **after)
{
    struct strbuf outer = e->body;
    e->body = strbuf_make(e->arena);
    e->depth++;
    bool ok = emitter_range(e, first, end);
    e->depth--;
    *text = e->body;
    *after = snapshot(e);
    e->body = outer;
    return ok;
}

static bool finish(struct emitter *e, struct strbuf *text, const struct value *after,
                   const reg_list *list, const struct value *like, struct strbuf *types)
{
    struct strbuf outer = e->body, values;
    restore(e, after);
    e->body = *text;
    e->depth++;
    bool ok = values_of(e, list, like, &values, types);
    if (ok && list->len)
        emitter_line(e, "scf.yield %s : %s", values.text, types->text);
    e->depth--;
    *text = e->body;
    e->body = outer;
    return ok;
}

static bool emit_if(struct emitter *e, const struct flow_code *f)
{
    bool has_else = f->middle < f->end;
    int then_end = has_else ? f->middle - 1 : f->end;
    const bool *then = assigned(e, f->begin + 1, then_end), *other = assigned(e, f->middle, f->end);
    struct value c = emitter_operand(e, reg_operand(insn_at(e, f->begin)->ra));
    reg_list list = joined(e, then, other);
    struct value *before = snapshot(e), *after[2];
    struct strbuf text[2], types;
    const char *condition = emitter_i1(e, &c);
    if (!condition || !branch(e, f->begin + 1, then_end, &text[0], &after[0]))
        return false;
    restore(e, before);
    if (!branch(e, f->middle, f->end, &text[1], &after[1]))
        return false;
    if (!finish(e, &text[0], after[0], &list, after[0], &types) ||
        !finish(e, &text[1], after[1], &list, after[0], &types))
        return false;
    restore(e, before);
    const char **names = arena_array(e->arena, const char *, list.len + 1);
    const char *results = new_names(e, &list, names);
    emitter_line(e, "%s%sscf.if %s%s {", results, list.len ? " = " : "", condition,
                 list.len ? arena_printf(e->arena, " -> (%s)", types.text) : "");
    strbuf_add(&e->body, text[0].len ? text[0].text : "");
    if (text[1].len) {
        emitter_line(e, "} else {");
        strbuf_add(&e->body, text[1].text);
    }
    emitter_line(e, "}");
    bind_all(e, &list, names, after[0]);
    return true;
}

/* ---- instructions in their order ---- */

/* The outermost flow that begins there and ends in the range; outer ones stand behind inner ones. */
static const struct flow_code *flow_at(const struct emitter *e, int at, int end,
                                       const struct flow_code *within)
{
    for (size_t i = e->b->flows.len; i-- > 0;) {
        const struct flow_code *f = &e->b->flows.items[i];
        if (f->begin == at && f->end <= end && f != within)
            return f;
    }
    return NULL;
}

static const struct macro_code *macro_at(const struct emitter *e, int at)
{
    vec_foreach (const struct macro_code, m, &e->b->macros)
        if (m->first == at)
            return m;
    return NULL;
}

/* A fence is one operation of several steps. */
static bool in_fence(struct emitter *e, const struct insn *i)
{
    if (i->site < 0)
        return false;
    const struct site *s = &e->b->sites.items[i->site];
    if (strncmp(s->what, "fence", 5))
        return false;
    if (e->fence != s->marker)
        emitter_line(e, "pto.fence.barrier_all #pto.fence_scope<gm>");
    e->fence = s->marker;
    return true;
}

static bool emit_order(struct emitter *e, const struct insn *i)
{
    if (i->op == I_BARRIER)
        emitter_line(e, "pto.barrier <PIPE_%s>", emitter_pipes[i->pa]);
    else if (i->op == I_SET_FLAG || i->op == I_WAIT_FLAG)
        emitter_line(e, "pto.%s[<PIPE_%s>, <PIPE_%s>, <EVENT_ID%d>]",
                     insn_op_name((enum insn_op)i->op), emitter_pipes[i->pa], emitter_pipes[i->pb],
                     (int)i->imm);
    else if (insn_any(i, CLASS_CROSS))
        return emitter_flag_between(e, i);
    else
        return emitter_error(e, "'%s' is not printed as .pto",
                             i->what ? i->what : insn_op_name((enum insn_op)i->op));
    return true;
}

bool emitter_insn(struct emitter *e, const struct insn *i)
{
    switch (i->op) {
    case I_NOP:
        return true;
    case I_LI:
        e->regs[i->rd] = (struct value){.kind = VALUE_CONSTANT, .n = i->imm};
        return true;
    case I_MOV:
        e->regs[i->rd] = emitter_operand(e, reg_operand(i->ra));
        return true;
    case I_ALU:
        return emitter_alu(e, i);
    case I_LD:
        return emitter_load(e, i);
    case I_ST:
        return emitter_store(e, i);
    case I_POLL:
    case I_POLL_DEV:
        return emitter_wait(e, i);
    case I_DCCI:
    case I_DCCI_ALL:
        return emitter_cacheinvalid(e, i);
    case I_MTE2:
    case I_MTE3:
    case I_FIX:
        return emitter_transfer(e, i);
    case I_TILE_OP:
        return emitter_tile_op(e, i);
    case I_TILE_LD:
    case I_TILE_ST:
        return emitter_tile_access(e, i);
    default:
        return emit_order(e, i);
    }
}

/* One that has no instructions stands in front of the instruction: it is passed only once. */
static const struct operation_code *operation_at(const struct emitter *e, int at)
{
    vec_foreach (const struct operation_code, o, &e->b->operations)
        if (o->first == at && o >= e->passed)
            return o;
    return NULL;
}

/* Where control comes to from there, past jumps. */
static int leads_to(const struct emitter *e, int at)
{
    while (at < (int)e->b->code.len && insn_at(e, at)->op == I_JMP && insn_at(e, at)->imm > at)
        at = (int)insn_at(e, at)->imm;
    return at;
}

/* What stands at index at; the index behind it, or -1. */
static int emit_one(struct emitter *e, int at, int end)
{
    const struct insn *i = e->at = insn_at(e, at);
    const struct macro_code *m = macro_at(e, at);
    const struct operation_code *o = operation_at(e, at);
    if (o && (e->passed = o + 1) && !emitter_operation(e, o))
        return -1;
    if (o)
        return o->end;
    if (m)
        return emitter_copy(e, m) ? m->end : -1;
    if (i->origin == ORIGIN_TAIL || i->origin == ORIGIN_ENTRY || in_fence(e, i))
        return at + 1;
    e->fence = -1;
    if (i->origin == ORIGIN_MACRO && i->op == I_DCCI)
        return emitter_notify(e, at);
    const struct flow_code *f = flow_at(e, at, end, NULL);
    if (f) {
        const struct flow_code *outer = e->flow;
        e->flow = f;
        bool ok = (f->loop ? emit_loop : emit_if)(e, f);
        e->flow = outer;
        return ok ? f->end : -1;
    }
    if (i->op == I_JMP && leads_to(e, at + 1) == leads_to(e, (int)i->imm)) /* a return at the end */
        return at + 1;
    if (insn_any(i, CLASS_BRANCH)) {
        emitter_error(e, "a branch of this form is not printed as .pto");
        return -1;
    }
    return emitter_insn(e, i) ? at + 1 : -1;
}

/* Operations without instructions that stand last in a range. */
static bool emit_last(struct emitter *e, int end)
{
    const struct operation_code *o = operation_at(e, end);
    for (; o && o->end == end && o->first == end; o = operation_at(e, end)) {
        if (e->flow && o->flows > e->flow - e->b->flows.items)
            return true; /* behind the branch or loop */
        e->passed = o + 1;
        if (!emitter_operation(e, o))
            return false;
    }
    return true;
}

/* What was popped in a range does not hold behind it. */
bool emitter_range(struct emitter *e, int first, int end)
{
    size_t popped = e->popped.len;
    e->fence = -1;
    while (first >= 0 && first < end)
        first = emit_one(e, first, end);
    if (first >= 0 && !emit_last(e, end))
        return false;
    while (e->popped.len > popped)
        e->tile_names[e->popped.items[--e->popped.len]] = NULL;
    return first >= 0;
}
