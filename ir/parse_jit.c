/* SPDX-License-Identifier: MIT */
/*
 * Functions of @pl.jit: the types that their text leaves open (pypto-front-facts 1.2).
 *
 * A bare pl.Tensor has the shape and the element type of what is passed. For the function that a
 * program starts with, that is what is given from outside, or else what the Python of the file
 * passes when it calls the function; for any other one it is what the first call passes.
 */
#include <string.h>

#include "base/strbuf.h"
#include "ir/infer.h"
#include "ir/ops.h"
#include "ir/parse_internal.h"

bool parse_is_open_type(const struct ir_type *t)
{
    if (!t)
        return false;
    vec_foreach (struct ir_type *, elem, &t->elems)
        if (parse_is_open_type(*elem))
            return true;
    return ir_type_is_tensor_like(t) && t->dtype == IR_DTYPE_NONE;
}

bool parse_has_open_params(const struct ir_func *f)
{
    vec_foreach (struct ir_param, param, &f->params)
        if (parse_is_open_type(param->var->type))
            return true;
    return false;
}

/* ---- tensors of Python ---- */

/* The tensor that the Python at pos makes, or NULL where that is not plain. */
static struct ir_type *tensor_of(struct parser *p, size_t pos, int depth);

static enum ir_dtype torch_dtype(const char *name)
{
    static const struct {
        const char *name;
        enum ir_dtype dtype;
    } rows[] = {
        {"float32", IR_FP32},  {"float", IR_FP32},  {"float16", IR_FP16}, {"half", IR_FP16},
        {"bfloat16", IR_BF16}, {"int8", IR_INT8},   {"int16", IR_INT16},  {"int32", IR_INT32},
        {"int", IR_INT32},     {"int64", IR_INT64}, {"long", IR_INT64},   {"uint8", IR_UINT8},
        {"bool", IR_BOOL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name))
            return rows[i].dtype;
    return IR_DTYPE_NONE;
}

/* How a function of torch says its shape, and what its elements are when nothing says it. */
enum sizes { SIZES_FIRST, SIZES_ALL, SIZES_OF_VALUES, SIZES_LIKE };
static const struct {
    const char *name;
    enum sizes sizes;
    enum ir_dtype dtype; /* IR_DTYPE_NONE: that of the values */
} makers[] = {
    {"zeros", SIZES_ALL, IR_FP32},
    {"ones", SIZES_ALL, IR_FP32},
    {"empty", SIZES_ALL, IR_FP32},
    {"rand", SIZES_ALL, IR_FP32},
    {"randn", SIZES_ALL, IR_FP32},
    {"full", SIZES_FIRST, IR_DTYPE_NONE},
    {"tensor", SIZES_OF_VALUES, IR_DTYPE_NONE},
    {"zeros_like", SIZES_LIKE, IR_FP32},
    {"ones_like", SIZES_LIKE, IR_FP32},
    {"empty_like", SIZES_LIKE, IR_FP32},
    {"rand_like", SIZES_LIKE, IR_FP32},
    {"randn_like", SIZES_LIKE, IR_FP32},
};

static size_t behind_argument(const struct parser *p, size_t pos)
{
    for (int open = 0; p->toks[pos].kind != TOK_END; pos++) {
        const struct token *t = &p->toks[pos];
        if (open == 0 && (token_is_op(t, ",") || token_is_op(t, ")")))
            break;
        open += token_opens(t) - token_closes(t);
    }
    return pos;
}

static bool names_argument(const struct parser *p, size_t pos)
{
    return p->toks[pos].kind == TOK_NAME && token_is_op(&p->toks[pos + 1], "=");
}

/* The argument behind the parenthesis at pos: the i-th by position, or of this name. 0: none. */
static size_t find_argument(const struct parser *p, size_t pos, size_t i, const char *name)
{
    size_t n = 0;
    for (pos++; !token_is_op(&p->toks[pos], ")") && p->toks[pos].kind != TOK_END;) {
        bool named = names_argument(p, pos);
        if (named && name && token_is_word(&p->toks[pos], name))
            return pos + 2;
        if (!named && n++ == i)
            return pos;
        pos = behind_argument(p, pos);
        pos += token_is_op(&p->toks[pos], ",");
    }
    return 0;
}

static bool add_extents(struct parser *p, struct ir_type *t, const struct ir_expr *e)
{
    if (e && (e->kind == IR_TUPLE || e->kind == IR_LIST)) {
        vec_foreach (struct ir_expr *, item, &e->items)
            if (!add_extents(p, t, *item))
                return false;
        return true;
    }
    if (!e || e->kind != IR_INT || e->integer.value < 0)
        return false;
    vec_push(p->arena, &t->shape, ir_int(p->arena, e->integer.value, IR_INDEX, e->span));
    return true;
}

/* zeros(2, 3), zeros((2, 3)), full((2, 3), value). */
static bool add_sizes(struct parser *p, struct ir_type *t, size_t open, enum sizes sizes)
{
    size_t pos;
    for (size_t i = 0; (pos = find_argument(p, open, i, i ? NULL : "size")); i++)
        if (!add_extents(p, t, parse_try_at(p, pos)))
            return false;
        else if (sizes == SIZES_FIRST || names_argument(p, pos - 2))
            return true;
    return true;
}

/* tensor([[1, 2], [3, 4]]) is of shape [2, 2]. */
static const struct ir_expr *add_nested(struct parser *p, struct ir_type *t,
                                        const struct ir_expr *e)
{
    while (e && (e->kind == IR_LIST || e->kind == IR_TUPLE) && e->items.len) {
        vec_push(p->arena, &t->shape, ir_int(p->arena, (int64_t)e->items.len, IR_INDEX, e->span));
        e = e->items.items[0];
    }
    return e;
}

static enum ir_dtype dtype_of_value(const struct ir_expr *e)
{
    return !e                      ? IR_DTYPE_NONE
           : e->kind == IR_FLOAT   ? IR_FP32
           : e->kind == IR_INT     ? IR_INT64
           : e->kind == IR_BOOLEAN ? IR_BOOL
                                   : IR_DTYPE_NONE;
}

/* dtype=torch.NAME of the call, or what stands for it. */
static enum ir_dtype dtype_of_call(struct parser *p, size_t open, enum ir_dtype otherwise)
{
    size_t pos = find_argument(p, open, SIZE_MAX, "dtype");
    if (!pos)
        return otherwise;
    bool torch = token_is_word(&p->toks[pos], "torch") && token_is_op(&p->toks[pos + 1], ".");
    return torch ? torch_dtype(p->toks[pos + 2].text) : IR_DTYPE_NONE;
}

/* At the name behind `torch.`. */
static struct ir_type *made_tensor(struct parser *p, size_t pos, int depth)
{
    size_t n = sizeof makers / sizeof *makers, i = 0, open = pos + 1;
    while (i < n && !token_is_word(&p->toks[pos], makers[i].name))
        i++;
    if (i == n || !token_is_op(&p->toks[open], "("))
        return NULL;
    struct ir_type *t = ir_type_new(p->arena, IR_TYPE_TENSOR);
    enum ir_dtype dtype = makers[i].dtype;
    if (makers[i].sizes == SIZES_LIKE) {
        const struct ir_type *like = tensor_of(p, open + 1, depth);
        if (!like)
            return NULL;
        t->shape = like->shape;
        dtype = like->dtype;
    } else if (makers[i].sizes == SIZES_OF_VALUES) {
        dtype = dtype_of_value(add_nested(p, t, parse_try_at(p, open + 1)));
    } else if (!add_sizes(p, t, open, makers[i].sizes)) {
        return NULL;
    } else if (makers[i].sizes == SIZES_FIRST) {
        size_t value = find_argument(p, open, 1, "fill_value");
        dtype = value ? dtype_of_value(parse_try_at(p, value)) : IR_DTYPE_NONE;
    }
    t->dtype = dtype_of_call(p, open, dtype);
    return t->dtype == IR_DTYPE_NONE || t->shape.len == 0 ? NULL : t;
}

/* The value that the name at pos had last before it in the text, as its first token; or 0. */
static size_t last_value(const struct parser *p, size_t pos)
{
    const struct token *name = &p->toks[pos];
    for (size_t i = pos; i-- > 1;) {
        enum token_kind before = p->toks[i - 1].kind;
        bool starts = before == TOK_NEWLINE || before == TOK_INDENT || before == TOK_DEDENT;
        if (starts && p->toks[i].kind == TOK_NAME && p->toks[i].name == name->name &&
            token_is_op(&p->toks[i + 1], "="))
            return i + 2;
    }
    return 0;
}

/* x.clone() is a tensor like x. */
static bool keeps_type(const struct token *method)
{
    static const char *const names[] = {"clone", "contiguous", "share_memory_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (token_is_word(method, names[i]))
            return true;
    return false;
}

static struct ir_type *tensor_of(struct parser *p, size_t pos, int depth)
{
    const struct token *t = &p->toks[pos];
    if (depth > 8 || t->kind != TOK_NAME)
        return NULL;
    if (token_is_word(t, "torch") && token_is_op(t + 1, "."))
        return made_tensor(p, pos + 2, depth + 1);
    bool changed = token_is_op(t + 1, ".") && !keeps_type(t + 2);
    size_t value = changed ? 0 : last_value(p, pos);
    return value ? tensor_of(p, value, depth + 1) : NULL;
}

/* ---- what the program starts with ---- */

/* The parenthesis of NAME(...), of NAME.lower(...) and its kin, or of the pair NAME, (...) at pos;
 * or 0. */
static size_t open_of_call(const struct parser *p, size_t pos, const struct ir_func *f)
{
    static const char *const methods[] = {"lower", "compile", "register"};
    const struct token *t = &p->toks[pos];
    if (!token_is_word(t, f->name) ||
        (pos && (token_is_op(t - 1, ".") || token_is_word(t - 1, "def"))))
        return 0;
    if (token_is_op(t + 1, "("))
        return pos + 1;
    if (token_is_op(t + 1, ",") && token_is_op(t + 2, "("))
        return pos + 2;
    for (size_t i = 0; token_is_op(t + 1, ".") && i < sizeof methods / sizeof *methods; i++)
        if (token_is_word(t + 2, methods[i]) && token_is_op(t + 3, "("))
            return pos + 3;
    return 0;
}

/* Types of all open parameters, as the call whose parenthesis stands at open passes them. */
static bool types_of_call(struct parser *p, struct ir_func *f, size_t open)
{
    VEC(struct ir_type *) found = {0};
    for (size_t i = 0; i < f->params.len; i++) {
        const struct ir_var *v = f->params.items[i].var;
        size_t at = parse_is_open_type(v->type) ? find_argument(p, open, i, v->name) : 0;
        struct ir_type *t = at ? tensor_of(p, at, 0) : NULL;
        if (!t && parse_is_open_type(v->type))
            return false;
        vec_push(p->arena, &found, t);
    }
    for (size_t i = 0; i < found.len; i++)
        if (found.items[i]) {
            found.items[i]->kind = f->params.items[i].var->type->kind;
            f->params.items[i].var->type = found.items[i];
        }
    return true;
}

static void take_given(struct parser *p, struct ir_func *f)
{
    vec_foreach (struct ir_param, param, &f->params) {
        struct ir_type *t =
            parse_is_open_type(param->var->type) ? parse_given_tensor(p, param->var->name) : NULL;
        if (!t)
            continue;
        t->kind = param->var->type->kind;
        param->var->type = t;
    }
}

_Noreturn static void fail_open(struct parser *p, const struct ir_func *f, const char *why)
{
    const struct ir_param *open = f->params.items;
    while (!parse_is_open_type(open->var->type))
        open++;
    parse_fail(p, open->var->span,
               "'%s' of '%s' has no shape here: %s; give it with --arg %s=FP32[16,64] or a line "
               "'# fencebench: arg %s=FP32[16,64]'",
               open->var->name, f->name, why, open->var->name, open->var->name);
}

/* The type of the tensors that the Python of the file names so, if they are of one type. */
static struct ir_type *tensor_named(struct parser *p, const char *name)
{
    struct ir_type *found = NULL;
    for (size_t i = 1; p->toks[i].kind != TOK_END; i++) {
        enum token_kind before = p->toks[i - 1].kind;
        bool starts = before == TOK_NEWLINE || before == TOK_INDENT || before == TOK_DEDENT;
        if (!starts || !token_is_word(&p->toks[i], name) || !token_is_op(&p->toks[i + 1], "="))
            continue;
        struct ir_type *t = tensor_of(p, i + 2, 0);
        if (t && found && ir_types_clash(t, found))
            return NULL;
        found = t ? t : found;
    }
    return found;
}

/* For a function that is called under another name, in a table of functions say. */
static void take_named(struct parser *p, struct ir_func *f)
{
    vec_foreach (struct ir_param, param, &f->params) {
        struct ir_var *v = param->var;
        struct ir_type *t = parse_is_open_type(v->type) ? tensor_named(p, v->name) : NULL;
        if (!t)
            continue;
        t->kind = v->type->kind;
        v->type = t;
    }
}

/* The Python of the file may call it anywhere outside of the functions of the language. */
static void settle_entry(struct parser *p, struct ir_func *f)
{
    take_given(p, f);
    for (size_t i = 0; parse_has_open_params(f) && p->toks[i].kind != TOK_END; i++) {
        size_t open = open_of_call(p, i, f);
        if (open)
            types_of_call(p, f, open);
    }
    if (parse_has_open_params(f))
        take_named(p, f);
    if (parse_has_open_params(f))
        fail_open(p, f, "no call in this file says one");
}

/* ---- dimensions and results ---- */

/* The symbol that a name stands for in the body from..to: one of the module, or NAME =
 * pl.dynamic("SYMBOL") there. */
static struct ir_var *dynamic_of(struct parser *p, const struct token *name, size_t from, size_t to)
{
    const struct ir_expr *constant = name->name->constant;
    if (constant && parse_is_dynamic(constant))
        return parse_symbol(p, constant->call.args.items[0]->string, constant->span);
    for (size_t i = from; i + 6 < to; i++)
        if (p->toks[i].kind == TOK_NAME && p->toks[i].name == name->name &&
            token_is_op(&p->toks[i + 1], "=") && token_is_word(&p->toks[i + 4], "dynamic") &&
            p->toks[i + 6].kind == TOK_STRING)
            return parse_symbol(p, p->toks[i + 6].text, name->span);
    parse_fail(p, name->span, "'%s' is no dynamic dimension: %s = pl.dynamic(\"%s\")", name->text,
               name->text, name->text);
}

bool parse_at_bind_dynamic(const struct token *t)
{
    return t->kind == TOK_NAME && token_is_op(t + 1, ".") && token_is_word(t + 2, "bind_dynamic") &&
           token_is_op(t + 3, "(");
}

/* a.bind_dynamic(0, M): that extent of the parameter is the symbol. */
static void bind_dimensions(struct parser *p, struct ir_func *f, size_t from, size_t to)
{
    for (size_t i = from; i + 7 < to; i++) {
        const struct token *t = &p->toks[i];
        if (!parse_at_bind_dynamic(t) || t[4].kind != TOK_INT || t[6].kind != TOK_NAME)
            continue;
        vec_foreach (struct ir_param, param, &f->params) {
            struct ir_type *type = param->var->type;
            if (strcmp(param->var->name, t->text) || !ir_type_is_tensor_like(type))
                continue;
            if (t[4].integer >= type->shape.len)
                parse_fail(p, t[4].span, "'%s' has %zu dimensions", t->text, type->shape.len);
            type->shape.items[t[4].integer] =
                ir_var_ref(p->arena, dynamic_of(p, &t[6], from, to), t[6].span);
        }
    }
}

static struct ir_type *type_of_param(const struct ir_func *f, const char *name)
{
    vec_foreach (struct ir_param, param, &f->params)
        if (!strcmp(param->var->name, name) && ir_type_is_tensor_like(param->var->type))
            return param->var->type;
    return NULL;
}

static struct ir_type *first_output(const struct ir_func *f)
{
    vec_foreach (struct ir_param, param, &f->params)
        if (param->direction == IR_OUT && ir_type_is_tensor_like(param->var->type))
            return param->var->type;
    return NULL;
}

static bool is_own_param(const struct ir_func *f, const struct ir_var *v)
{
    vec_foreach (struct ir_param, param, &f->params)
        if (param->var == v)
            return true;
    return false;
}

/* Result k of g, of n, when its extents say the same outside of g. */
static struct ir_type *result_of(const struct ir_func *g, size_t k, size_t n)
{
    struct ir_type *t = g ? g->return_type : NULL;
    bool tuple = t && t->kind == IR_TYPE_TUPLE && t->elems.len == n;
    t = tuple ? t->elems.items[k] : n == 1 ? t : NULL;
    if (!t || !ir_type_is_tensor_like(t))
        return NULL;
    vec_foreach (struct ir_expr *, e, &t->shape)
        if ((*e)->kind != IR_INT && ((*e)->kind != IR_VAR || is_own_param(g, (*e)->var)))
            return NULL;
    return t;
}

/* The type of a local variable that a statement of from..to, `a, b = g(`, binds to a result of a
 * function in front of this one. */
static struct ir_type *type_of_result(struct parser *p, const struct token *name, size_t from,
                                      size_t to)
{
    for (size_t i = from + 1; i < to; i++) {
        enum token_kind before = p->toks[i - 1].kind;
        const struct token *t = &p->toks[i];
        size_t n = 1, k = SIZE_MAX;
        if (before != TOK_NEWLINE && before != TOK_INDENT && before != TOK_DEDENT)
            continue;
        for (; t->kind == TOK_NAME; t += 2, n++) {
            k = t->name == name->name ? n - 1 : k;
            if (!token_is_op(t + 1, ","))
                break;
        }
        if (k != SIZE_MAX && t->kind == TOK_NAME && token_is_op(t + 1, "=") &&
            t[2].kind == TOK_NAME && token_is_op(t + 3, "("))
            return result_of(map_get_text(&p->functions, t[2].text), k, n);
    }
    return NULL;
}

/* Of `return a` the type of that parameter, of `return a, b` a tuple of them, or of what calls give;
 * of a local variable that of the first Out parameter; of anything else none. */
static struct ir_type *inferred_result(struct parser *p, const struct ir_func *f, size_t from,
                                       size_t to)
{
    struct ir_type *tuple = ir_type_new(p->arena, IR_TYPE_TUPLE);
    const size_t body = from;
    while (from < to &&
           !(token_is_word(&p->toks[from], "return") && p->toks[from + 1].kind != TOK_NEWLINE))
        from++;
    const struct token *t = &p->toks[from + 1], *first = t;
    for (; from < to && t->kind == TOK_NAME && !t->name->is_keyword; t += 2) {
        struct ir_type *type = type_of_param(f, t->text);
        bool ends = t[1].kind == TOK_NEWLINE;
        if (ends && t == first)
            return type ? type : first_output(f);
        type = type ? type : type_of_result(p, t, body, from);
        if (!type || (!ends && !token_is_op(t + 1, ",")))
            return NULL;
        vec_push(p->arena, &tuple->elems, type);
        if (ends)
            return tuple;
    }
    return NULL;
}

static bool is_extern(const struct parser *p, const struct ir_func *f)
{
    vec_foreach (struct extern_kernel, e, &p->externs)
        if (e->func == f)
            return true;
    return false;
}

/* Inline functions have no call whose directions would count. */
static void strip_directions(struct ir_func *f)
{
    vec_foreach (struct ir_param, param, &f->params)
        param->direction = IR_IN;
}

static void finish_header(struct parser *p, struct ir_func *f, size_t body)
{
    size_t end = ir_behind_item(p->toks, body);
    bind_dimensions(p, f, body, end);
    if (!f->return_type || parse_is_open_type(f->return_type))
        f->return_type = is_extern(p, f) ? first_output(f) : inferred_result(p, f, body, end);
    if (f->type == IR_FUNC_INLINE)
        strip_directions(f);
}

/* ---- what a call passes ---- */

/* What an argument's extent is to the function that is called: a number, or a dimension of the
 * program. */
static struct ir_expr *passed_extent(struct parser *p, struct ir_expr *extent)
{
    int64_t value;
    if (ir_const_int(extent, &value))
        return ir_int(p->arena, value, IR_INDEX, extent->span);
    return extent->kind == IR_VAR && ir_is_module_var(p->prog, extent->var) ? extent : NULL;
}

static struct ir_type *passed_type(struct parser *p, const struct ir_func *f,
                                   const struct ir_var *param, const struct ir_expr *arg)
{
    if (!arg->type || !ir_type_is_tensor_like(arg->type))
        parse_fail(p, arg->span,
                   "'%s' of '%s' takes its shape from this, which is no tensor of a "
                   "known type",
                   param->name, f->name);
    struct ir_type *t = ir_type_new(p->arena, param->type->kind);
    t->dtype = arg->type->dtype;
    vec_foreach (struct ir_expr *, extent, &arg->type->shape) {
        struct ir_expr *e = passed_extent(p, *extent);
        if (!e)
            parse_fail(p, arg->span,
                       "'%s' of '%s' takes its shape from this, whose extents are no constants",
                       param->name, f->name);
        vec_push(p->arena, &t->shape, e);
    }
    return t;
}

/* Behind the header of f, whose body waits. */
static size_t body_of(const struct parser *p, const struct ir_func *f)
{
    size_t i = 0;
    while (p->bodies.items[i].func != f)
        i++;
    return p->bodies.items[i].pos;
}

void parse_settle_called(struct parser *p, struct ir_func *f, const struct ir_call *call)
{
    if (!f || !f->jit || !parse_has_open_params(f))
        return;
    for (size_t i = 0; i < f->params.len; i++) {
        struct ir_var *v = f->params.items[i].var;
        struct ir_expr *arg =
            i < call->args.len ? call->args.items[i] : ir_kwarg_find(&call->kwargs, v->name);
        if (parse_is_open_type(v->type) && arg)
            v->type = passed_type(p, f, v, arg);
    }
    if (!parse_has_open_params(f))
        finish_header(p, f, body_of(p, f));
}

void parse_check_settled(struct parser *p, const struct ir_func *f)
{
    if (parse_has_open_params(f))
        fail_open(p, f, "no call says one");
}

void parse_settle_header(struct parser *p, struct ir_func *f, bool starts)
{
    if (starts)
        settle_entry(p, f);
    if (!parse_has_open_params(f))
        finish_header(p, f, p->pos);
}

/* ---- shapes in bodies ---- */

/* An extent of the parameter as a value: a number, or for a dynamic dimension a read of it. */
static struct ir_expr *extent_value(struct parser *p, const struct ir_expr *x, size_t i,
                                    struct span at)
{
    int64_t value;
    if (ir_const_int(x->type->shape.items[i], &value))
        return ir_int(p->arena, value, IR_INDEX, at);
    struct ir_expr *e = ir_expr_new(p->arena, IR_CALL, at);
    e->call.callee = IR_CALLEE_OP;
    e->call.op = ir_op_find("tensor.dim");
    e->call.name = e->call.written = e->call.op->name;
    vec_push(p->arena, &e->call.args, ir_var_ref(p->arena, x->var, at));
    vec_push(p->arena, &e->call.args, ir_int(p->arena, (int64_t)i, IR_INDEX, at));
    e->type = ir_infer_call(p->arena, &e->call);
    return e;
}

static bool is_parameter(const struct ir_func *f, const struct ir_expr *e)
{
    if (!f || !f->jit || e->kind != IR_VAR)
        return false;
    vec_foreach (struct ir_param, param, &f->params)
        if (param->var == e->var)
            return ir_type_is_tensor_like(e->var->type);
    return false;
}

/* Behind a.shape: the index in brackets, counted from the end when negative. */
static size_t shape_index(struct parser *p, const struct ir_expr *x)
{
    const struct token *open = peek(p);
    int64_t rank = (int64_t)x->type->shape.len;
    p->pos++;
    const struct ir_expr *e = parse_expr(p);
    int64_t i = e->kind == IR_INT ? e->integer.value : rank;
    i += i < 0 ? rank : 0;
    if (i < 0 || i >= rank || !parse_accept_op(p, "]"))
        parse_fail(p, open->span, "'%s' has %d dimensions", x->var->name, (int)rank);
    return (size_t)i;
}

struct ir_expr *parse_member(struct parser *p, struct ir_expr *e)
{
    const struct token *dot = peek(p);
    bool shape = token_is_word(dot + 1, "shape"), dtype = token_is_word(dot + 1, "dtype");
    if (!is_parameter(p->func, e) || (!shape && !dtype))
        parse_fail(p, dot->span, "only pl, pld and self have members");
    p->pos += 2;
    if (dtype) {
        struct ir_expr *name = ir_expr_new(p->arena, IR_NAME, e->span);
        name->name = arena_printf(p->arena, "pl.%s", ir_dtype_name(e->type->dtype));
        return name;
    }
    if (parse_at_op(p, "["))
        return extent_value(p, e, shape_index(p, e), e->span);
    ir_exprs items = {0};
    for (size_t i = 0; i < e->type->shape.len; i++)
        vec_push(p->arena, &items, extent_value(p, e, i, e->span));
    struct ir_expr *tuple = ir_tuple(p->arena, items, e->span);
    tuple->type = ir_infer_expr(p->arena, tuple);
    return tuple;
}

static void inline_value(struct parser *p, const struct token *name, struct ir_expr *value)
{
    if (name->name->local)
        parse_fail(p, name->span, "'%s' has a value already", name->text);
    parse_bind_value(p, name->name, value);
}

static void bind_extent(struct parser *p, ir_block *out, const struct token *name,
                        struct ir_expr *extent)
{
    if (extent->kind == IR_INT) {
        inline_value(p, name, extent);
        return;
    }
    struct ir_stmt *s = ir_stmt_new(p->arena, IR_ASSIGN, name->span);
    s->assign.value = extent;
    vec_push(p->arena, &s->assign.targets, parse_bind_assigned(p, name, extent->type));
    vec_push(p->arena, out, s);
}

/* Behind the names of `M, N =`, or of `K =`: the parameter whose shape stands there, or NULL. */
static const struct token *shape_at(const struct parser *p, const struct token *t)
{
    bool shape = t->kind == TOK_NAME && token_is_op(t + 1, ".") && token_is_word(t + 2, "shape");
    const struct ir_var *v = shape ? t->name->local : NULL;
    const struct ir_expr e = {.kind = IR_VAR, .var = (struct ir_var *)v};
    return v && is_parameter(p->func, &e) ? t : NULL;
}

static bool bind_shape(struct parser *p, ir_block *out)
{
    const struct token *first = peek(p), *t = first;
    size_t n = 1;
    for (; t->kind == TOK_NAME && token_is_op(t + 1, ","); t += 2)
        n++;
    const struct token *shape =
        t->kind == TOK_NAME && token_is_op(t + 1, "=") ? shape_at(p, t + 2) : NULL;
    bool item = shape && n == 1 && token_is_op(shape + 3, "[");
    if (!shape || (!item && (n == 1 || shape[3].kind != TOK_NEWLINE)))
        return false;
    p->pos = (size_t)(shape - p->toks);
    struct ir_expr *value = parse_expr(p);
    if (item && peek(p)->kind != TOK_NEWLINE) { /* K = a.shape[0] * 2 is an assignment */
        p->pos = (size_t)(first - p->toks);
        return false;
    }
    if (!item && value->items.len != n)
        parse_fail(p, first->span, "%zu names on the left, but '%s' has %zu dimensions", n,
                   shape->text, value->items.len);
    for (size_t i = 0; i < n; i++)
        bind_extent(p, out, first + 2 * i, item ? value : value->items.items[i]);
    return true;
}

bool parse_jit_binding(struct parser *p, ir_block *out)
{
    const struct token *t = peek(p);
    if (!p->func || !p->func->jit || t->kind != TOK_NAME)
        return false;
    if (parse_at_bind_dynamic(t)) {
        p->pos = (size_t)(t - p->toks) + 4;
        parse_items(p, ")");
        return true;
    }
    bool dynamic = token_is_op(t + 1, "=") && token_is_word(t + 2, "pl") &&
                   token_is_op(t + 3, ".") && token_is_word(t + 4, "dynamic");
    if (!dynamic)
        return bind_shape(p, out);
    p->pos += 2;
    inline_value(p, t, parse_expr(p));
    return true;
}

/* ---- functions in C++ ---- */

/* A keyword's value as it is written, or what a string of it says: paths are made by Python. */
static const char *written_value(struct parser *p, size_t from, size_t to)
{
    const struct token *first = &p->toks[from], *last = &p->toks[to - 1];
    if (to == from + 1 && first->kind == TOK_STRING)
        return first->text;
    return arena_strndup(p->arena, p->src->text + first->offset, last->end - first->offset);
}

static struct ir_kwarg named_keyword(struct parser *p, const char *name, enum ir_expr_kind kind,
                                     const char *text, struct span at)
{
    struct ir_kwarg k = {name, ir_expr_new(p->arena, kind, at), at};
    if (kind == IR_STRING)
        k.value->string = text;
    else
        k.value->name = text;
    return k;
}

static void declare(struct parser *p, struct ir_func *f, enum ir_func_type type, const char *source)
{
    const char *path = arena_printf(p->arena, "pl.FunctionType.%s", ir_func_type_name(type));
    f->type = type;
    vec_push(p->arena, &f->decorator, named_keyword(p, "type", IR_NAME, path, f->span));
    if (source)
        vec_push(p->arena, &f->decorator,
                 named_keyword(p, "external_source", IR_STRING, source, f->span));
}

/* What the keywords say together, or why they cannot. */
static const char *extern_fault(const struct extern_kernel *e)
{
    bool mixed = e->core && !strcmp(e->core, "mixed");
    if (!e->core || (!mixed && strcmp(e->core, "aic") && strcmp(e->core, "aiv")))
        return "expected core_type=\"aiv\", \"aic\" or \"mixed\"";
    if (mixed && (!e->aic_source || !e->aiv_source))
        return "a mixed kernel needs aic_source= and aiv_source=";
    if (!mixed && (!strcmp(e->core, "aic") ? !e->aic_source : !e->aiv_source))
        return "a kernel for one core needs source=";
    if (!mixed && e->both_lanes)
        return "dual_aiv_dispatch= is for core_type=\"mixed\"";
    return NULL;
}

static void take_extern_keyword(struct parser *p, struct extern_kernel *e)
{
    const struct token *name = peek(p);
    if (!names_argument(p, p->pos))
        parse_expected(p, "a keyword such as core_type=");
    size_t from = p->pos + 2, to = behind_argument(p, from);
    const char *value = from < to ? written_value(p, from, to) : "";
    p->pos = to;
    if (!strcmp(name->text, "core_type"))
        e->core = value;
    else if (!strcmp(name->text, "aic_source"))
        e->aic_source = value;
    else if (!strcmp(name->text, "aiv_source"))
        e->aiv_source = value;
    else if (!strcmp(name->text, "source"))
        e->aic_source = e->aiv_source = value;
    else if (!strcmp(name->text, "dual_aiv_dispatch"))
        e->both_lanes = !strcmp(value, "True");
    else if (strcmp(name->text, "include_dirs"))
        parse_fail(p, name->span, "'%s' is no keyword of @pl.jit.extern", name->text);
}

void parse_extern_keywords(struct parser *p, struct ir_func *f)
{
    const struct token *open = peek(p);
    struct extern_kernel e = {.func = f};
    parse_expect_op(p, "(");
    while (!parse_at_op(p, ")")) {
        take_extern_keyword(p, &e);
        if (!parse_accept_op(p, ","))
            break;
    }
    if (!parse_accept_op(p, ")"))
        parse_expected(p, "',' or ')'");
    const char *fault = extern_fault(&e);
    if (fault)
        parse_fail(p, open->span, "%s", fault);
    f->span = open->span;
    if (!strcmp(e.core, "mixed"))
        declare(p, f, IR_FUNC_GROUP, NULL);
    else if (!strcmp(e.core, "aic"))
        declare(p, f, IR_FUNC_AIC, e.aic_source);
    else
        declare(p, f, IR_FUNC_AIV, e.aiv_source);
    vec_push(p->arena, &p->externs, e);
}

/* A member of a mixed kernel: the same header, and a body in C++. */
static struct ir_func *add_extern_part(struct parser *p, const struct ir_func *f,
                                       const char *suffix, enum ir_func_type type,
                                       const char *source)
{
    struct ir_func *m = arena_new(p->arena, struct ir_func);
    m->name = arena_printf(p->arena, "%s_%s", f->name, suffix);
    m->span = f->span;
    m->jit = m->is_abstract = true;
    m->return_type = f->return_type;
    if (map_get_text(&p->functions, m->name))
        parse_fail(p, f->span, "two functions are named '%s'", m->name);
    declare(p, m, type, source);
    vec_foreach (struct ir_param, param, &f->params) {
        struct ir_param own = {ir_var_new(p->arena, param->var->name, param->var->type, f->span),
                               param->direction};
        vec_push(p->arena, &m->params, own);
    }
    ir_add_func(p->prog, m);
    map_put_text(&p->functions, m->name, m);
    return m;
}

static struct ir_expr *call_of_part(struct parser *p, const struct ir_func *f,
                                    const struct ir_func *part)
{
    struct ir_expr *e = ir_expr_new(p->arena, IR_CALL, f->span);
    e->call.callee = IR_CALLEE_USER;
    e->call.name = e->call.written = part->name;
    vec_foreach (struct ir_param, param, &f->params)
        vec_push(p->arena, &e->call.args, ir_var_ref(p->arena, param->var, f->span));
    e->type = f->return_type;
    return e;
}

static struct ir_stmt *effect_of(struct parser *p, struct ir_expr *call)
{
    struct ir_stmt *s = ir_stmt_new(p->arena, IR_EVAL, call->span);
    s->eval = call;
    return s;
}

/* The group calls both; what it returns is what the cube's member returns. */
static void fill_group(struct parser *p, struct ir_func *f, const struct extern_kernel *e)
{
    struct ir_func *aic = add_extern_part(p, f, "aic", IR_FUNC_AIC, e->aic_source),
                   *aiv = add_extern_part(p, f, "aiv", IR_FUNC_AIV, e->aiv_source);
    struct ir_stmt *first = effect_of(p, call_of_part(p, f, aic));
    if (e->both_lanes) {
        struct ir_kwarg both = {"dual_aiv_dispatch", ir_expr_new(p->arena, IR_BOOLEAN, f->span),
                                f->span};
        both.value->boolean = true;
        both.value->type = ir_scalar_type(IR_BOOL);
        vec_push(p->arena, &aiv->attrs, both);
    }
    if (f->return_type) {
        first->kind = IR_ASSIGN;
        first->assign.value = call_of_part(p, f, aic);
        vec_push(p->arena, &first->assign.targets,
                 ir_var_new(p->arena, "_r", f->return_type, f->span));
    }
    vec_push(p->arena, &f->body, first);
    vec_push(p->arena, &f->body, effect_of(p, call_of_part(p, f, aiv)));
    if (f->return_type) {
        struct ir_stmt *s = ir_stmt_new(p->arena, IR_RETURN, f->span);
        vec_push(p->arena, &s->return_.values,
                 ir_var_ref(p->arena, first->assign.targets.items[0], f->span));
        vec_push(p->arena, &f->body, s);
    }
}

void parse_extern_body(struct parser *p, struct ir_func *f)
{
    vec_foreach (struct extern_kernel, e, &p->externs) {
        if (e->func != f)
            continue;
        if (!f->is_abstract)
            parse_fail(p, f->span, "the body of a @pl.jit.extern function is '...'");
        f->is_abstract = f->type != IR_FUNC_GROUP;
        if (f->type == IR_FUNC_GROUP)
            fill_group(p, f, e);
    }
}
