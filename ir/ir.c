/* SPDX-License-Identifier: MIT */
#include "ir/ir.h"

#include <string.h>
#include <strings.h>

#include "base/table.h"
#include "ir/infer.h"
#include "ir/names.h"
#include "ir/ops.h"

struct dtype_info {
    const char *name;
    uint8_t bits;
    bool is_float, is_signed;
};

static const struct dtype_info dtypes[] = {
    [IR_INT4] = {"INT4", 4, false, true},
    [IR_INT8] = {"INT8", 8, false, true},
    [IR_INT16] = {"INT16", 16, false, true},
    [IR_INT32] = {"INT32", 32, false, true},
    [IR_INT64] = {"INT64", 64, false, true},
    [IR_UINT4] = {"UINT4", 4, false, false},
    [IR_UINT8] = {"UINT8", 8, false, false},
    [IR_UINT16] = {"UINT16", 16, false, false},
    [IR_UINT32] = {"UINT32", 32, false, false},
    [IR_UINT64] = {"UINT64", 64, false, false},
    [IR_FP4] = {"FP4", 4, true, true},
    [IR_FP8] = {"FP8", 8, true, true},
    [IR_FP8E4M3FN] = {"FP8E4M3FN", 8, true, true},
    [IR_FP8E5M2] = {"FP8E5M2", 8, true, true},
    [IR_FP8E8M0] = {"FP8E8M0", 8, true, true},
    [IR_FP16] = {"FP16", 16, true, true},
    [IR_FP32] = {"FP32", 32, true, true},
    [IR_BF16] = {"BF16", 16, true, true},
    [IR_HF4] = {"HF4", 4, true, true},
    [IR_HF8] = {"HF8", 8, true, true},
    [IR_BOOL] = {"BOOL", 8, false, false},
    [IR_INDEX] = {"INDEX", 64, false, true},
    [IR_TASK_ID] = {"TASK_ID", 64, false, false},
};
ROW_EACH(dtypes, IR_DTYPE_COUNT);

const char *ir_dtype_name(enum ir_dtype t)
{
    return dtypes[t].name ? dtypes[t].name : "NONE";
}

enum ir_dtype ir_dtype_parse(const char *name)
{
    for (int t = 1; t < IR_DTYPE_COUNT; t++)
        if (strcmp(dtypes[t].name, name) == 0)
            return (enum ir_dtype)t;
    return IR_DTYPE_NONE;
}

int ir_dtype_bits(enum ir_dtype t)
{
    return dtypes[t].bits;
}

bool ir_dtype_is_float(enum ir_dtype t)
{
    return dtypes[t].is_float;
}

bool ir_dtype_is_signed(enum ir_dtype t)
{
    return dtypes[t].is_signed;
}

bool ir_is_machine_word(enum ir_dtype t)
{
    return t == IR_INDEX || t == IR_INT64;
}

bool ir_binary_compares(enum ir_binary_op op)
{
    return op == IR_EQ || op == IR_NE || op == IR_LT || op == IR_LE || op == IR_GT || op == IR_GE;
}

bool ir_binary_is_truth(enum ir_binary_op op)
{
    return ir_binary_compares(op) || op == IR_AND || op == IR_OR || op == IR_XOR;
}

bool ir_type_is_tensor_like(const struct ir_type *t)
{
    return t && (t->kind == IR_TYPE_TENSOR || t->kind == IR_TYPE_DIST_TENSOR);
}

const struct ir_expr *ir_view_keyword(const struct ir_type *t, const char *name)
{
    static const char layout[] = "pl.TensorLayout.";
    vec_foreach (struct ir_expr *, it, &t->annots) {
        const struct ir_expr *e = *it;
        if (e->kind == IR_CALL && strcmp(e->call.name, "TensorView") == 0)
            return ir_kwarg_find(&e->call.kwargs, name);
        if (e->kind == IR_NAME && strncmp(e->name, layout, sizeof layout - 1) == 0)
            return strcmp(name, "layout") == 0 ? e : NULL;
    }
    return NULL;
}

const char *ir_tensor_layout(const struct ir_type *t)
{
    const struct ir_expr *layout = ir_view_keyword(t, "layout");
    return layout && layout->kind == IR_NAME ? layout->name : "pl.TensorLayout.ND";
}

static const char *const func_types[] = {IR_FUNC_TYPES(NAME_ROW)};

const char *ir_loop_name(enum ir_loop_kind k)
{
    static const char *const names[] = {IR_LOOP_KINDS(NAME_ROW)};
    return names[k];
}

const char *ir_func_type_name(enum ir_func_type t)
{
    return func_types[t];
}

bool ir_func_is_incore(const struct ir_func *f)
{
    return f->type == IR_FUNC_INCORE || f->type == IR_FUNC_AIC || f->type == IR_FUNC_AIV;
}

static bool keyword_is(const struct ir_func *f, const char *keyword, const char *value,
                       bool when_absent)
{
    const struct ir_expr *e = ir_kwarg_find(&f->decorator, keyword);
    return e ? e->kind == IR_NAME && strcmp(e->name, value) == 0 : when_absent;
}

/* Orchestration and Graph imply level CHIP and role Orchestrator (pypto-facts 1.1). */
static bool is_orchestrator(const struct ir_func *f, const char *level)
{
    bool chip = f->type == IR_FUNC_ORCHESTRATION || f->type == IR_FUNC_GRAPH;
    return keyword_is(f, "level", level, chip && strcmp(level, "pl.Level.CHIP") == 0) &&
           (chip || keyword_is(f, "role", "pl.Role.Orchestrator", false));
}

bool ir_func_is_host_orchestrator(const struct ir_func *f)
{
    return f->type != IR_FUNC_GRAPH && is_orchestrator(f, "pl.Level.HOST");
}

bool ir_func_is_chip_orchestrator(const struct ir_func *f)
{
    return f->type != IR_FUNC_GRAPH && is_orchestrator(f, "pl.Level.CHIP");
}

bool ir_func_is_host_worker(const struct ir_func *f)
{
    static const char *const above[] = {
        "pl.Level.HOST",      "pl.Level.NODE",  "pl.Level.CLUSTER_0",
        "pl.Level.POD",       "pl.Level.CLOS1", "pl.Level.CLUSTER_1",
        "pl.Level.CLUSTER_2", "pl.Level.CLOS2", "pl.Level.GLOBAL"};
    bool worker = keyword_is(f, "role", "pl.Role.SubWorker", false);
    for (size_t i = 0; worker && i < sizeof above / sizeof *above; i++)
        if (keyword_is(f, "level", above[i], false))
            return true;
    return false;
}

/* A program that was made by hand may hold functions that its table does not. */
struct ir_func *ir_find_func(const struct ir_program *p, const char *name)
{
    size_t at = (uintptr_t)map_get_text(&p->positions, name);
    if (at > 0 && at <= p->funcs.len && strcmp(p->funcs.items[at - 1]->name, name) == 0)
        return p->funcs.items[at - 1];
    vec_foreach (struct ir_func *, f, &p->funcs)
        if (strcmp((*f)->name, name) == 0)
            return *f;
    return NULL;
}

static size_t inputs_from(const struct ir_func *f, size_t i)
{
    size_t n = 0;
    for (; i < f->params.len; i++)
        n += f->params.items[i].direction == IR_IN;
    return n;
}

bool ir_call_fits(const struct ir_func *f, const struct ir_call *call)
{
    size_t n = call->args.len;
    if (n == f->params.len || call->callee != IR_CALLEE_SUBMIT)
        return n == f->params.len;
    bool fits = n < f->params.len && n >= inputs_from(f, 0);
    for (size_t i = 0; fits && i < f->params.len; i++) {
        const struct ir_type *t = f->params.items[i].var->type;
        fits = ir_arg_of_param(f, call, i) >= 0 || (t && t->kind == IR_TYPE_TENSOR);
    }
    return fits;
}

int ir_arg_of_param(const struct ir_func *f, const struct ir_call *call, size_t i)
{
    size_t next = 0;
    for (size_t k = 0; k <= i; k++) {
        bool input = f->params.items[k].direction == IR_IN,
             given = input || call->args.len - next > inputs_from(f, k + 1);
        if (k == i)
            return given && next < call->args.len ? (int)next : -1;
        next += given;
    }
    return -1;
}

void ir_add_func(struct ir_program *p, struct ir_func *f)
{
    p->positions.arena = p->arena;
    vec_push(p->arena, &p->funcs, f);
    map_put_text(&p->positions, f->name, (void *)(uintptr_t)p->funcs.len);
}

void ir_add_global(struct ir_program *p, struct ir_var *var)
{
    struct ir_global g = {var};
    p->module.arena = p->arena;
    vec_push(p->arena, &p->globals, g);
    map_put(&p->module, var, var);
}

void ir_add_symbol(struct ir_program *p, struct ir_var *var)
{
    p->module.arena = p->arena;
    vec_push(p->arena, &p->implicit_symbols, var);
    map_put(&p->module, var, var);
}

void ir_add_constant(struct ir_program *p, const char *name, struct ir_expr *value)
{
    p->constants.arena = p->arena;
    map_put_text(&p->constants, name, value);
}

const struct ir_expr *ir_find_constant(const struct ir_program *p, const char *name)
{
    return map_get_text(&p->constants, name);
}

bool ir_is_free_var(const struct ir_var *v)
{
    return ir_is_free_name(v->name);
}

struct ir_var *ir_var_new(struct arena *a, const char *name, struct ir_type *type, struct span at)
{
    struct ir_var *v = arena_new(a, struct ir_var);
    *v = (struct ir_var){name, ir_shown_name(a, name), type, at};
    return v;
}

bool ir_is_module_var(const struct ir_program *p, const struct ir_var *var)
{
    return map_get(&p->module, var) != NULL;
}

struct ir_expr *ir_kwarg_find(const ir_kwargs *kw, const char *name)
{
    vec_foreach (struct ir_kwarg, k, kw)
        if (strcmp(k->name, name) == 0)
            return k->value;
    return NULL;
}

/* ---- arrays ---- */

static const char array_type[] = "pl.Array[";

bool ir_type_is_array(const struct ir_type *t)
{
    return t && t->kind == IR_TYPE_OTHER && !strncmp(t->text, array_type, sizeof array_type - 1) &&
           ir_array_dtype(t) != IR_DTYPE_NONE;
}

enum ir_dtype ir_array_dtype(const struct ir_type *array)
{
    char name[16];
    const char *last = strrchr(array->text, '.') + 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(last, "]"), last);
    return ir_dtype_parse(name);
}

struct ir_type *ir_array_type(struct arena *a, int64_t extent, enum ir_dtype dtype)
{
    struct ir_type *t = ir_type_new(a, IR_TYPE_OTHER);
    t->text =
        arena_printf(a, "%s%lld, pl.%s]", array_type, (long long)extent, ir_dtype_name(dtype));
    return t;
}

/* ---- building ---- */

struct ir_type *ir_scalar_type(enum ir_dtype dtype)
{
#define SCALAR(t) [t] = {.kind = IR_TYPE_SCALAR, .dtype = t }
    static const struct ir_type types[] = {
        SCALAR(IR_INT4),      SCALAR(IR_INT8),    SCALAR(IR_INT16),   SCALAR(IR_INT32),
        SCALAR(IR_INT64),     SCALAR(IR_UINT4),   SCALAR(IR_UINT8),   SCALAR(IR_UINT16),
        SCALAR(IR_UINT32),    SCALAR(IR_UINT64),  SCALAR(IR_FP4),     SCALAR(IR_FP8),
        SCALAR(IR_FP8E4M3FN), SCALAR(IR_FP8E5M2), SCALAR(IR_FP8E8M0), SCALAR(IR_FP16),
        SCALAR(IR_FP32),      SCALAR(IR_BF16),    SCALAR(IR_HF4),     SCALAR(IR_HF8),
        SCALAR(IR_BOOL),      SCALAR(IR_INDEX),   SCALAR(IR_TASK_ID),
    };
    ROW_EACH(types, IR_DTYPE_COUNT);
#undef SCALAR
    /* Trees are immutable once built, so one constant serves every program. */
    return dtype == IR_DTYPE_NONE ? NULL : (struct ir_type *)&types[dtype];
}

struct ir_type *ir_type_new(struct arena *a, enum ir_type_kind kind)
{
    struct ir_type *t = arena_new(a, struct ir_type);
    t->kind = kind;
    return t;
}

struct ir_expr *ir_expr_new(struct arena *a, enum ir_expr_kind kind, struct span at)
{
    struct ir_expr *e = arena_new(a, struct ir_expr);
    e->kind = kind;
    e->span = at;
    return e;
}

struct ir_expr *ir_int(struct arena *a, int64_t value, enum ir_dtype dtype, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_INT, at);
    e->integer.value = value;
    e->integer.dtype = dtype;
    e->type = ir_scalar_type(dtype);
    return e;
}

struct ir_expr *ir_bool(struct arena *a, bool value, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_BOOLEAN, at);
    e->boolean = value;
    e->type = ir_scalar_type(IR_BOOL);
    return e;
}

struct ir_expr *ir_var_ref(struct arena *a, struct ir_var *v, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_VAR, at);
    e->var = v;
    e->type = v->type;
    return e;
}

struct ir_expr *ir_tuple(struct arena *a, ir_exprs items, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_TUPLE, at);
    e->items = items;
    return e;
}

struct ir_expr *ir_op_call(struct arena *a, const char *op_name, ir_exprs args, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_CALL, at);
    e->call.callee = IR_CALLEE_OP;
    e->call.op = ir_op_find(op_name);
    e->call.name = e->call.written = e->call.op->name;
    e->call.args = args;
    e->type = ir_infer_call(a, &e->call);
    return e;
}

struct ir_expr *ir_window_slot(struct arena *a, struct ir_window_buffer *w, struct span at)
{
    struct ir_expr *e = ir_expr_new(a, IR_CALL, at);
    e->call.callee = IR_CALLEE_UNKNOWN;
    e->call.name = e->call.written = IR_WINDOW_SLOT;
    e->type = ir_type_new(a, IR_TYPE_WINDOW_BUFFER);
    e->type->window = w;
    return e;
}

bool ir_is_comm_domain(const struct ir_stmt *s)
{
    return s->kind == IR_SCOPE && s->scope.call->kind == IR_CALL &&
           strcmp(s->scope.call->call.name, IR_COMM_DOMAIN) == 0;
}

static void push_keyword(struct arena *a, struct ir_expr *call, const char *name,
                         struct ir_expr *value)
{
    struct ir_kwarg k = {name, value, call->span};
    vec_push(a, &call->call.kwargs, k);
}

struct ir_stmt *ir_comm_domain(struct arena *a, const char *name, const int64_t *devices, size_t n,
                               ir_exprs slots, ir_block body, struct span at)
{
    struct ir_stmt *s = ir_stmt_new(a, IR_SCOPE, at);
    struct ir_expr *call = ir_expr_new(a, IR_CALL, at), *name_text = ir_expr_new(a, IR_STRING, at),
                   *device_list = ir_expr_new(a, IR_LIST, at),
                   *slot_list = ir_expr_new(a, IR_LIST, at);
    call->call.callee = IR_CALLEE_UNKNOWN;
    call->call.name = call->call.written = IR_COMM_DOMAIN;
    name_text->string = name;
    for (size_t i = 0; i < n; i++)
        vec_push(a, &device_list->items, ir_int(a, devices[i], IR_INDEX, at));
    slot_list->items = slots;
    push_keyword(a, call, "name", name_text);
    push_keyword(a, call, "devices", device_list);
    push_keyword(a, call, "slots", slot_list);
    s->scope.call = call;
    s->scope.body = body;
    return s;
}

struct ir_stmt *ir_stmt_new(struct arena *a, enum ir_stmt_kind kind, struct span at)
{
    struct ir_stmt *s = arena_new(a, struct ir_stmt);
    s->kind = kind;
    s->span = at;
    return s;
}

const struct ir_stmt *ir_block_yield(const ir_block *block)
{
    const struct ir_stmt *last = block->len ? block->items[block->len - 1] : NULL;
    if (last && last->kind == IR_SCOPE && !last->scope.lanes)
        return ir_block_yield(&last->scope.body);
    return last && last->kind == IR_YIELD ? last : NULL;
}

const struct ir_call *ir_leaf_call(const struct ir_stmt *s)
{
    const struct ir_expr *e = s->kind == IR_EVAL     ? s->eval
                              : s->kind == IR_ASSIGN ? s->assign.value
                                                     : NULL;
    return e && e->kind == IR_CALL ? &e->call : NULL;
}

/* ---- walking ---- */

typedef bool walk_fn(const struct ir_expr *e, void *ctx);

static bool walk_all(const ir_exprs *items, walk_fn *fn, void *ctx)
{
    vec_foreach (struct ir_expr *, e, items)
        if (!ir_walk_expr(*e, fn, ctx))
            return false;
    return true;
}

static bool walk_kwargs(const ir_kwargs *kw, walk_fn *fn, void *ctx)
{
    vec_foreach (struct ir_kwarg, k, kw)
        if (!ir_walk_expr(k->value, fn, ctx))
            return false;
    return true;
}

bool ir_walk_expr(const struct ir_expr *e, walk_fn *fn, void *ctx)
{
    if (!e)
        return true;
    if (!fn(e, ctx))
        return false;
    switch (e->kind) {
    case IR_VAR:
    case IR_INT:
    case IR_FLOAT:
    case IR_BOOLEAN:
    case IR_STRING:
    case IR_NONE:
    case IR_NAME:
        return true;
    case IR_CALL:
        return walk_all(&e->call.args, fn, ctx) && walk_kwargs(&e->call.kwargs, fn, ctx) &&
               walk_kwargs(&e->call.attrs, fn, ctx);
    case IR_TUPLE:
    case IR_LIST:
        return walk_all(&e->items, fn, ctx);
    case IR_DICT:
        return walk_kwargs(&e->dict, fn, ctx);
    case IR_GETITEM:
        return ir_walk_expr(e->getitem.base, fn, ctx);
    case IR_BINARY:
        return ir_walk_expr(e->binary.lhs, fn, ctx) && ir_walk_expr(e->binary.rhs, fn, ctx);
    case IR_UNARY:
        return ir_walk_expr(e->unary.operand, fn, ctx);
    case IR_CAST:
        return ir_walk_expr(e->cast.operand, fn, ctx);
    }
    return true;
}

/* ---- constants ---- */

static bool floor_divide(int64_t x, int64_t y, int64_t *quotient, int64_t *remainder)
{
    if (y == 0 || (x == INT64_MIN && y == -1))
        return false;
    *quotient = x / y;
    *remainder = x % y;
    if (*remainder != 0 && (*remainder < 0) != (y < 0)) {
        *quotient -= 1;
        *remainder += y;
    }
    return true;
}

static bool power(int64_t base, int64_t exponent, int64_t *out)
{
    int64_t result = 1;
    if (exponent < 0)
        return false;
    if (exponent > 63 && (base > 1 || base < -1))
        return false;
    if (exponent > 63)
        exponent = 62 + exponent % 2; /* base is -1, 0 or 1: only the parity counts */
    for (; exponent > 0; exponent--)
        if (__builtin_mul_overflow(result, base, &result))
            return false;
    *out = result;
    return true;
}

static bool const_binary(enum ir_binary_op op, int64_t x, int64_t y, int64_t *out)
{
    int64_t other;
    switch (op) {
    case IR_ADD:
        return !__builtin_add_overflow(x, y, out);
    case IR_SUB:
        return !__builtin_sub_overflow(x, y, out);
    case IR_MUL:
        return !__builtin_mul_overflow(x, y, out);
    case IR_FLOORDIV:
        return floor_divide(x, y, out, &other);
    case IR_MOD:
        return floor_divide(x, y, &other, out);
    case IR_POW:
        return power(x, y, out);
    case IR_SHL:
        return y >= 0 && y < 63 && !__builtin_mul_overflow(x, (int64_t)1 << y, out);
    case IR_SHR:
        return y >= 0 && (*out = x >> (y > 63 ? 63 : y), true);
    case IR_TRUEDIV:
    case IR_BINARY_COUNT:
        return false;
    case IR_EQ:
        return *out = x == y, true;
    case IR_NE:
        return *out = x != y, true;
    case IR_LT:
        return *out = x < y, true;
    case IR_LE:
        return *out = x <= y, true;
    case IR_GT:
        return *out = x > y, true;
    case IR_GE:
        return *out = x >= y, true;
    case IR_AND:
        return *out = x && y, true;
    case IR_OR:
        return *out = x || y, true;
    case IR_XOR:
        return *out = !x != !y, true;
    case IR_BITAND:
        return *out = x & y, true;
    case IR_BITOR:
        return *out = x | y, true;
    case IR_BITXOR:
        return *out = x ^ y, true;
    case IR_MIN:
        return *out = x < y ? x : y, true;
    case IR_MAX:
        return *out = x > y ? x : y, true;
    }
    return false;
}

static bool const_unary(enum ir_unary_op op, int64_t x, int64_t *out)
{
    switch (op) {
    case IR_NEG:
        return !__builtin_sub_overflow((int64_t)0, x, out);
    case IR_ABS:
        return x >= 0 ? (*out = x, true) : !__builtin_sub_overflow((int64_t)0, x, out);
    case IR_NOT:
        return *out = !x, true;
    case IR_BITNOT:
        return *out = ~x, true;
    case IR_UNARY_COUNT:
        break;
    }
    return false;
}

/* A narrowing cast keeps a constant only when the value fits: nothing wraps silently. */
static bool const_cast(int64_t x, enum ir_dtype to, int64_t *out)
{
    int bits = ir_dtype_bits(to);
    if (ir_dtype_is_float(to) || bits == 0)
        return false;
    *out = x;
    if (to == IR_BOOL)
        return *out = x != 0, true;
    if (bits == 64)
        return ir_dtype_is_signed(to) || x >= 0;
    if (ir_dtype_is_signed(to))
        return x >= -((int64_t)1 << (bits - 1)) && x < (int64_t)1 << (bits - 1);
    return x >= 0 && x < (int64_t)1 << bits;
}

bool ir_const_int(const struct ir_expr *e, int64_t *out)
{
    int64_t x, y;
    switch (e->kind) {
    case IR_INT:
        return *out = e->integer.value, true;
    case IR_BOOLEAN:
        return *out = e->boolean, true;
    case IR_BINARY:
        return ir_const_int(e->binary.lhs, &x) && ir_const_int(e->binary.rhs, &y) &&
               const_binary(e->binary.op, x, y, out);
    case IR_UNARY:
        return ir_const_int(e->unary.operand, &x) && const_unary(e->unary.op, x, out);
    case IR_CAST:
        return ir_const_int(e->cast.operand, &x) && const_cast(x, e->cast.dtype, out);
    default:
        return false;
    }
}

bool ir_name_counts_ranks(const char *name)
{
    static const char *const names[] = {"nr", "n_ranks", "nranks", "num_ranks", "world_size"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(names[i], name))
            return true;
    return false;
}

bool ir_vars_hold(const ir_vars *vars, const struct ir_var *v)
{
    vec_foreach (struct ir_var *, it, vars)
        if (*it == v)
            return true;
    return false;
}
