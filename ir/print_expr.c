/* SPDX-License-Identifier: MIT */
/* Expressions and types in the compiler's printed form (pypto-facts 1.2, 1.3). */
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "ir/equal.h"
#include "ir/infer.h"
#include "ir/ops.h"
#include "ir/print.h"
#include "ir/print_internal.h"

/* Precedence, loosest first; an operand is put in parentheses when it binds looser than its place
 * asks. */
enum precedence {
    L_OR = 1,
    L_AND,
    L_NOT,
    L_COMPARE,
    L_BITOR,
    L_BITXOR,
    L_BITAND,
    L_SHIFT,
    L_ADD,
    L_MUL,
    L_UNARY,
    L_POW,
    L_ATOM
};

static const struct {
    const char *text;
    enum precedence level;
} binaries[] = {
    [IR_ADD] = {"+", L_ADD},       [IR_SUB] = {"-", L_ADD},       [IR_MUL] = {"*", L_MUL},
    [IR_FLOORDIV] = {"//", L_MUL}, [IR_MOD] = {"%", L_MUL},       [IR_TRUEDIV] = {"/", L_MUL},
    [IR_POW] = {"**", L_POW},      [IR_EQ] = {"==", L_COMPARE},   [IR_NE] = {"!=", L_COMPARE},
    [IR_LT] = {"<", L_COMPARE},    [IR_LE] = {"<=", L_COMPARE},   [IR_GT] = {">", L_COMPARE},
    [IR_GE] = {">=", L_COMPARE},   [IR_AND] = {"and", L_AND},     [IR_OR] = {"or", L_OR},
    [IR_XOR] = {"^", L_BITXOR},    [IR_BITAND] = {"&", L_BITAND}, [IR_BITOR] = {"|", L_BITOR},
    [IR_BITXOR] = {"^", L_BITXOR}, [IR_SHL] = {"<<", L_SHIFT},    [IR_SHR] = {">>", L_SHIFT},
    [IR_MIN] = {"pl.min", L_ATOM}, [IR_MAX] = {"pl.max", L_ATOM},
};
ROW_EACH(binaries, IR_BINARY_COUNT);

static const struct {
    const char *text;
    enum precedence level;
} unaries[] = {
    [IR_NEG] = {"-", L_UNARY},
    [IR_NOT] = {"not ", L_NOT},
    [IR_BITNOT] = {"~", L_UNARY},
    [IR_ABS] = {"abs", L_ATOM},
};
ROW_EACH(unaries, IR_UNARY_COUNT);

static bool negative_literal(const struct ir_expr *e)
{
    return (e->kind == IR_INT && e->integer.dtype == IR_INDEX && e->integer.value < 0) ||
           (e->kind == IR_FLOAT && e->real.dtype == IR_FP32 && isfinite(e->real.value) &&
            signbit(e->real.value));
}

static enum precedence level_of(const struct ir_expr *e)
{
    if (e->kind == IR_BINARY)
        return binaries[e->binary.op].level;
    if (e->kind == IR_UNARY)
        return unaries[e->unary.op].level;
    return negative_literal(e) ? L_UNARY : L_ATOM;
}

static void print_at(struct printer *pr, const struct ir_expr *e, enum precedence at_least)
{
    bool parentheses = level_of(e) < at_least;
    strbuf_add(&pr->out, parentheses ? "(" : "");
    print_expr(pr, e);
    strbuf_add(&pr->out, parentheses ? ")" : "");
}

/* ---- literals ---- */

static void print_string(struct printer *pr, const char *s, char quote)
{
    strbuf_addf(&pr->out, "%c", quote);
    for (; *s; s++) {
        if (*s == quote || *s == '\\')
            strbuf_addf(&pr->out, "\\%c", *s);
        else if (*s == '\n')
            strbuf_add(&pr->out, "\\n");
        else if ((unsigned char)*s < ' ' || *s == 0x7f)
            strbuf_addf(&pr->out, "\\x%02x", (unsigned char)*s);
        else
            strbuf_addn(&pr->out, s, 1);
    }
    strbuf_addf(&pr->out, "%c", quote);
}

static void print_int(struct printer *pr, const struct ir_expr *e)
{
    if (e->integer.dtype == IR_INDEX)
        strbuf_addf(&pr->out, "%ld", (long)e->integer.value);
    else
        strbuf_addf(&pr->out, "pl.const(%ld, pl.%s)", (long)e->integer.value,
                    ir_dtype_name(e->integer.dtype));
}

static void print_real(struct printer *pr, double value)
{
    if (!isfinite(value)) { /* Python has no literal for it */
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        strbuf_addf(&pr->out, "pl._dump.float64(\"%016lx\")", (unsigned long)bits);
        return;
    }
    char *text = arena_printf(pr->arena, "%.17g", value);
    strbuf_add(&pr->out, text);
    if (!strpbrk(text, ".e"))
        strbuf_add(&pr->out, ".0");
}

static void print_float(struct printer *pr, const struct ir_expr *e)
{
    bool plain = e->real.dtype == IR_FP32;
    strbuf_add(&pr->out, plain ? "" : "pl.const(");
    print_real(pr, e->real.value);
    if (!plain)
        strbuf_addf(&pr->out, ", pl.%s)", ir_dtype_name(e->real.dtype));
}

/* ---- calls ---- */

void print_exprs(struct printer *pr, const ir_exprs *items)
{
    for (size_t i = 0; i < items->len; i++) {
        strbuf_add(&pr->out, i ? ", " : "");
        print_expr(pr, items->items[i]);
    }
}

static void separate(struct printer *pr, bool *comma)
{
    strbuf_add(&pr->out, *comma ? ", " : "");
    *comma = true;
}

void print_kwargs(struct printer *pr, const ir_kwargs *kw, bool *comma)
{
    vec_foreach (struct ir_kwarg, k, kw) {
        separate(pr, comma);
        strbuf_addf(&pr->out, "%s=", k->name);
        print_expr(pr, k->value);
    }
}

void print_dict(struct printer *pr, const ir_kwargs *dict)
{
    strbuf_add(&pr->out, "{");
    for (size_t i = 0; i < dict->len; i++) {
        strbuf_add(&pr->out, i ? ", " : "");
        print_string(pr, dict->items[i].name, '"');
        strbuf_add(&pr->out, ": ");
        print_expr(pr, dict->items[i].value);
    }
    strbuf_add(&pr->out, "}");
}

static void print_attrs(struct printer *pr, const ir_kwargs *attrs, bool *comma)
{
    if (attrs->len == 0)
        return;
    separate(pr, comma);
    strbuf_add(&pr->out, "attrs=");
    print_dict(pr, attrs);
}

/* The name of a number where the printed form wants it by name: enums of the pl namespace, and what
 * has names in strings. */
static const char *number_text(struct printer *pr, const struct ir_op *op, const struct ir_kwarg *k)
{
    const struct ir_op_kwarg *row = ir_op_keyword(op, k->name);
    if (!row || k->value->kind != IR_INT)
        return NULL;
    int64_t value = k->value->integer.value;
    if (row->kind == 'n') {
        const char *name = ir_op_number_name(pr->arena, row, value);
        return name ? arena_printf(pr->arena, "'%s'", name) : NULL;
    }
    size_t len = row->kind == 'e' ? strlen(row->names) : 0;
    if (!len || strncmp(row->names, "pl.", 3) != 0)
        return NULL;
    for (size_t m = 0; m < ir_enum_count; m++)
        if (strncmp(ir_enums[m].name, row->names, len) == 0 && ir_enums[m].value == value)
            return ir_enums[m].name;
    return NULL;
}

static const struct ir_op_spelling *printed_spelling(const struct ir_call *call)
{
    for (size_t i = 0; i < ir_op_spelling_count; i++) {
        const struct ir_op_spelling *s = &ir_op_spellings[i];
        if (strcmp(s->name, call->op->name) != 0 || (!s->kwarg && !s->always))
            continue;
        if (s->always)
            return s;
        const struct ir_expr *value = ir_kwarg_find(&call->kwargs, s->kwarg);
        if (value && (!s->implied || (value->kind == IR_BOOLEAN && value->boolean)))
            return s;
    }
    return NULL;
}

static void print_argument(struct printer *pr, const struct ir_call *call, size_t i)
{
    const struct ir_expr *e = call->args.items[i];
    char kind = call->op ? ir_op_arg_kind(call->op, call->args.len, i) : '\0';
    if (e->kind != IR_TUPLE || (kind != 'u' && kind != 'v')) {
        print_expr(pr, e);
        return;
    }
    strbuf_add(&pr->out, "[");
    print_exprs(pr, &e->items);
    strbuf_add(&pr->out, "]");
}

/* The row prints argument i behind the keywords, by its name. */
static bool prints_by_name(struct printer *pr, const struct ir_call *call, size_t i,
                           const char **name)
{
    const char *text = ir_op_text_order(call->op);
    *name = ir_op_arg_name(pr->arena, call->op, call->args.len, i);
    for (const char *at = text && *name ? strstr(text, *name) : NULL; at;
         at = strstr(at + 1, *name)) {
        size_t len = strlen(*name);
        if ((at == text || at[-1] == ',') && at[len] == '=')
            return true;
    }
    return false;
}

static void print_named_arguments(struct printer *pr, const struct ir_call *call, bool *comma)
{
    const char *name;
    for (size_t i = 0; i < call->args.len; i++) {
        if (!prints_by_name(pr, call, i, &name))
            continue;
        separate(pr, comma);
        strbuf_addf(&pr->out, "%s=", name);
        print_argument(pr, call, i);
    }
}

static void print_op_call(struct printer *pr, const struct ir_call *call)
{
    const struct ir_op_spelling *spelling = printed_spelling(call);
    const char *name = spelling ? spelling->written : call->op->name;
    bool comma = false;
    strbuf_addf(&pr->out, "%s%s(", strncmp(name, "pld.", 4) == 0 ? "" : "pl.", name);
    const char *ignored;
    for (size_t i = 0; i < call->args.len; i++) {
        if (prints_by_name(pr, call, i, &ignored))
            continue;
        separate(pr, &comma);
        print_argument(pr, call, i);
    }
    bool halved = pr->regions && ir_op_is_halving(call->op);
    vec_foreach (struct ir_kwarg, k, &call->kwargs) {
        if (halved && strcmp(k->name, "split") == 0)
            continue;
        if (spelling && spelling->kwarg && spelling->implied &&
            strcmp(spelling->kwarg, k->name) == 0)
            continue;
        const char *member = number_text(pr, call->op, k);
        separate(pr, &comma);
        strbuf_addf(&pr->out, "%s=", k->name);
        if (member)
            strbuf_add(&pr->out, member);
        else
            print_expr(pr, k->value);
    }
    print_named_arguments(pr, call, &comma);
    print_attrs(pr, &call->attrs, &comma);
    strbuf_add(&pr->out, ")");
}

/* pl._dump.window_buffer("buf_window", base="buf", size=16, ...): a slot of a comm_domain scope. */
static void print_slot(struct printer *pr, const struct ir_window_buffer *w)
{
    strbuf_add(&pr->out, "pl." IR_WINDOW_SLOT "(");
    print_string(pr, print_label(pr, w), '"');
    if (w->base) {
        strbuf_add(&pr->out, ", base=");
        print_string(pr, print_name(pr, w->base), '"');
    }
    if (w->size) {
        strbuf_add(&pr->out, ", size=");
        print_expr(pr, w->size);
    }
    strbuf_addf(&pr->out, ", load_from_host=%s, store_to_host=%s)",
                w->load_from_host ? "True" : "False", w->store_to_host ? "True" : "False");
}

static void print_subscript(struct printer *pr, const struct ir_call *call)
{
    print_at(pr, call->args.items[0], L_ATOM);
    strbuf_add(&pr->out, "[");
    for (size_t i = 1; i < call->args.len; i++) {
        strbuf_add(&pr->out, i > 1 ? ", " : "");
        print_expr(pr, call->args.items[i]);
    }
    strbuf_add(&pr->out, "]");
}

/* ---- calls with a recorded type ---- */

/* The type that the operands of e give it. */
static const struct ir_type *plain_type(struct printer *pr, const struct ir_expr *e)
{
    if (e->call.callee == IR_CALLEE_USER)
        return ir_infer_returned(pr->arena, map_get_text(&pr->functions, e->call.name), &e->call);
    return e->call.callee == IR_CALLEE_OP ? ir_infer_call(pr->arena, &e->call) : NULL;
}

/* A reader of the plain form may take the window from the annotation (adopt_window). */
static bool annotation_moves(const struct ir_type *t, const struct ir_type *annotation)
{
    if (!annotation || t->kind != IR_TYPE_DIST_TENSOR || t->window == annotation->window)
        return false;
    struct ir_type moved = *t;
    moved.window = annotation->window;
    return ir_type_same(&moved, annotation);
}

static bool needs_record(struct printer *pr, const struct ir_expr *e,
                         const struct ir_type *annotation)
{
    bool plain_only = e->call.callee == IR_CALLEE_SUBMIT || pr->types || !pr->prog || !e->type ||
                      strcmp(e->call.name, "[]") == 0 || strcmp(e->call.name, IR_WINDOW_SLOT) == 0;
    if (plain_only)
        return false;
    const struct ir_type *t = plain_type(pr, e);
    bool same = t == e->type || (t && ir_type_same(t, e->type));
    return !same || (t && annotation_moves(t, annotation));
}

static void print_recorded_dict(struct printer *pr, const char *name, const ir_kwargs *dict)
{
    if (dict->len == 0)
        return;
    strbuf_addf(&pr->out, ", %s=", name);
    print_dict(pr, dict);
}

/* pl._dump.call('tensor.view', [x], pl.Tensor[[4], pl.FP32], kwargs={...}, attrs={...}) */
static void print_recorded(struct printer *pr, const struct ir_expr *e)
{
    const struct ir_call *call = &e->call;
    if (call->callee == IR_CALLEE_USER)
        strbuf_addf(&pr->out, "pl._dump.call(%s%s, [", pr->prog->name ? "self." : "", call->name);
    else
        strbuf_addf(&pr->out, "pl._dump.call('%s', [", call->name);
    for (size_t i = 0; i < call->args.len; i++) {
        strbuf_add(&pr->out, i ? ", " : "");
        print_argument(pr, call, i);
    }
    strbuf_add(&pr->out, "], ");
    print_type(pr, e->type);
    print_recorded_dict(pr, "kwargs", &call->kwargs);
    print_recorded_dict(pr, "attrs", &call->attrs);
    strbuf_add(&pr->out, ")");
}

/* The plain form of a further view would be read as a further variable (ir/parse_internal.h). */
void print_value(struct printer *pr, const struct ir_expr *e, bool again)
{
    bool view =
        e->kind == IR_CALL && e->type && e->call.op && e->call.op->result == IR_RESULT_WINDOW;
    if (again && view)
        print_recorded(pr, e);
    else
        print_expr(pr, e);
    pr->annotation = NULL;
}

static void print_call(struct printer *pr, const struct ir_expr *e,
                       const struct ir_type *annotation)
{
    const struct ir_call *call = &e->call;
    bool comma = false, in_class = pr->prog && pr->prog->name;
    if (needs_record(pr, e, annotation)) {
        print_recorded(pr, e);
        return;
    }
    if (call->callee == IR_CALLEE_OP) {
        print_op_call(pr, call);
        return;
    }
    if (e->type && e->type->window && strcmp(call->name, IR_WINDOW_SLOT) == 0) {
        print_slot(pr, e->type->window);
        return;
    }
    if (strcmp(call->name, "[]") == 0) {
        print_subscript(pr, call);
        return;
    }
    const char *self = in_class || !pr->prog ? "self." : "";
    if (call->callee == IR_CALLEE_SUBMIT) {
        strbuf_addf(&pr->out, "%s(%s%s", call->written, self, call->name);
        comma = true;
    } else {
        bool bare = strncmp(call->name, "pld.", 4) == 0;
        strbuf_addf(&pr->out, "%s%s(",
                    call->callee == IR_CALLEE_USER ? self
                    : bare                         ? ""
                                                   : "pl.",
                    call->name);
    }
    if (call->args.len)
        separate(pr, &comma);
    print_exprs(pr, &call->args);
    print_kwargs(pr, &call->kwargs, &comma);
    print_attrs(pr, &call->attrs, &comma);
    strbuf_add(&pr->out, ")");
}

/* ---- operators ---- */

static bool is_truth(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_SCALAR && e->type->dtype == IR_BOOL;
}

static void print_binary(struct printer *pr, const struct ir_expr *e)
{
    enum precedence level = binaries[e->binary.op].level;
    const char *text = binaries[e->binary.op].text;
    if (level == L_ATOM) {
        strbuf_addf(&pr->out, "%s(", text);
        print_expr(pr, e->binary.lhs);
        strbuf_add(&pr->out, ", ");
        print_expr(pr, e->binary.rhs);
        strbuf_add(&pr->out, ")");
        return;
    }
    bool logical = e->binary.op == IR_XOR;
    if (logical && !(is_truth(e->binary.lhs) && is_truth(e->binary.rhs))) {
        strbuf_add(&pr->out, "pl._dump.logical_xor(");
        print_expr(pr, e->binary.lhs);
        strbuf_add(&pr->out, ", ");
        print_expr(pr, e->binary.rhs);
        strbuf_add(&pr->out, ")");
        return;
    }
    /* ** groups to the right and takes a sign on its right side; comparisons do not chain. */
    bool pow = e->binary.op == IR_POW;
    print_at(pr, e->binary.lhs, pow || level == L_COMPARE ? level + 1 : level);
    strbuf_addf(&pr->out, " %s ", text);
    print_at(pr, e->binary.rhs, pow ? L_UNARY : level + 1);
}

static void print_unary(struct printer *pr, const struct ir_expr *e)
{
    const struct ir_expr *x = e->unary.operand;
    strbuf_add(&pr->out, unaries[e->unary.op].text);
    /* Without parentheses a sign and a number would read back as one literal. */
    bool literal = e->unary.op == IR_NEG && ((x->kind == IR_INT && x->integer.dtype == IR_INDEX) ||
                                             (x->kind == IR_FLOAT && x->real.dtype == IR_FP32));
    if (literal || e->unary.op == IR_ABS) {
        strbuf_add(&pr->out, "(");
        print_expr(pr, x);
        strbuf_add(&pr->out, ")");
        return;
    }
    print_at(pr, x, unaries[e->unary.op].level);
}

static void print_items(struct printer *pr, const char *open, const ir_exprs *items,
                        const char *close)
{
    strbuf_add(&pr->out, open);
    print_exprs(pr, items);
    if (items->len == 1 && open[0] == '(')
        strbuf_add(&pr->out, ",");
    strbuf_add(&pr->out, close);
}

void print_expr(struct printer *pr, const struct ir_expr *e)
{
    const struct ir_type *annotation = pr->annotation;
    pr->annotation = NULL;
    switch (e->kind) {
    case IR_VAR:
        strbuf_add(&pr->out, print_name(pr, e->var));
        break;
    case IR_INT:
        print_int(pr, e);
        break;
    case IR_FLOAT:
        print_float(pr, e);
        break;
    case IR_BOOLEAN:
        strbuf_add(&pr->out, e->boolean ? "True" : "False");
        break;
    case IR_STRING:
        print_string(pr, e->string, pr->types ? '"' : '\'');
        break;
    case IR_NONE:
        strbuf_add(&pr->out, "None");
        break;
    case IR_NAME:
        if (e->type)
            print_type(pr, e->type);
        else
            strbuf_add(&pr->out, e->name);
        break;
    case IR_CALL:
        print_call(pr, e, annotation);
        break;
    case IR_TUPLE:
        print_items(pr, "(", &e->items, ")");
        break;
    case IR_LIST:
        print_items(pr, "[", &e->items, "]");
        break;
    case IR_DICT:
        print_dict(pr, &e->dict);
        break;
    case IR_GETITEM:
        print_at(pr, e->getitem.base, L_ATOM);
        strbuf_addf(&pr->out, "[%ld]", (long)e->getitem.index);
        break;
    case IR_BINARY:
        print_binary(pr, e);
        break;
    case IR_UNARY:
        print_unary(pr, e);
        break;
    case IR_CAST:
        strbuf_add(&pr->out, "pl.cast(");
        print_expr(pr, e->cast.operand);
        strbuf_addf(&pr->out, ", pl.%s)", ir_dtype_name(e->cast.dtype));
        break;
    }
}

/* ---- types ---- */

static void print_shaped(struct printer *pr, const char *name, const struct ir_type *t)
{
    strbuf_addf(&pr->out, "%s[[", name);
    print_exprs(pr, &t->shape);
    strbuf_addf(&pr->out, "], pl.%s", ir_dtype_name(t->dtype));
    vec_foreach (struct ir_expr *, e, &t->annots) {
        strbuf_add(&pr->out, ", ");
        print_expr(pr, *e);
    }
    if (t->window) {
        strbuf_add(&pr->out, ", pl._dump.window_ref(");
        print_string(pr, print_label(pr, t->window), '"');
        strbuf_add(&pr->out, ")");
    }
    strbuf_add(&pr->out, "]");
}

static void print_tuple_type(struct printer *pr, const struct ir_type *t)
{
    strbuf_add(&pr->out, "pl.Tuple[");
    for (size_t i = 0; i < t->elems.len; i++) {
        strbuf_add(&pr->out, i ? ", " : "");
        print_type(pr, t->elems.items[i]);
    }
    strbuf_add(&pr->out, t->elems.len ? "]" : "()]");
}

void print_type(struct printer *pr, const struct ir_type *t)
{
    pr->types++;
    switch (t->kind) {
    case IR_TYPE_UNKNOWN:
        strbuf_add(&pr->out, "pl.UnknownType");
        break;
    case IR_TYPE_SCALAR:
        strbuf_addf(&pr->out, "pl.Scalar[pl.%s]", ir_dtype_name(t->dtype));
        break;
    case IR_TYPE_TENSOR:
        print_shaped(pr, "pl.Tensor", t);
        break;
    case IR_TYPE_DIST_TENSOR:
        print_shaped(pr, "pld.DistributedTensor", t);
        break;
    case IR_TYPE_TILE:
        print_shaped(pr, "pl.Tile", t);
        break;
    case IR_TYPE_TUPLE:
        print_tuple_type(pr, t);
        break;
    case IR_TYPE_PTR:
        strbuf_add(&pr->out, "pl.Ptr");
        break;
    case IR_TYPE_WINDOW_BUFFER:
        strbuf_add(&pr->out, "pld.WindowBufferType");
        break;
    case IR_TYPE_COMM_CTX:
        strbuf_add(&pr->out, "pld.CommCtx");
        break;
    case IR_TYPE_MEMREF:
        strbuf_add(&pr->out, "pl.MemRefType");
        break;
    case IR_TYPE_OTHER:
        strbuf_add(&pr->out, t->text);
        break;
    }
    pr->types--;
}

char *ir_print_expr(struct arena *a, const struct ir_expr *e)
{
    struct printer pr = printer_make(a, NULL);
    print_expr(&pr, e);
    return pr.out.text;
}

char *ir_print_type(struct arena *a, const struct ir_type *t)
{
    struct printer pr = printer_make(a, NULL);
    print_type(&pr, t);
    return pr.out.text;
}
