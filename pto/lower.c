/* SPDX-License-Identifier: MIT */
/* Operations in their order: slots of values, functions, blocks, and what has no row. */
#include "pto/lower.h"

#include <string.h>

enum { GM = 1, TILES = 2, NOTHING = 0 };

/* The table by what it lowers to. */
static const struct row {
    const char *name;
    uint8_t pipe, reads, writes;
    pto_lowering *lower;
} rows[] = {
#define PTO_OP(name, groups, pipe, reads, writes, lowering, detail)                                \
    {name, pipe, reads, writes, lower_##lowering},
#include "pto/ops_table.h"
#undef PTO_OP
};

static const struct row *row_of(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

bool lower_is_pure(const struct pto_op *op)
{
    const struct row *r = row_of(op->name);
    bool order = !strncmp(op->name, "pto.cmo.", 8) || !strncmp(op->name, "pto.fence.", 10) ||
                 !strcmp(op->name, "pto.barrier") || strstr(op->name, "_flag") ||
                 strstr(op->name, "_event");
    /* Loads of contexts are part of an address. */
    bool load = !strcmp(op->name, "pto.load_scalar") && op->results.len &&
                !strcmp(op->results.items[0]->type->text, "i64");
    return load || (r && !order && !r->reads && !r->writes && !op->regions.len);
}

/* ---- slots ---- */

struct slot *lower_new(struct lower *l, const struct pto_value *v)
{
    struct slot *s = arena_new(l->arena, struct slot);
    s->region = -1;
    s->use.root = NO_REG;
    map_put(&l->slots, v, s);
    return s;
}

static const char *const kind_names[] = {"nothing", "a number", "a pointer", "a tensor view",
                                         "a tile"};

static const struct slot *slot_of(struct lower *l, const struct pto_operand *o, enum slot_kind kind)
{
    const struct slot *s = o->value ? map_get(&l->slots, o->value) : NULL;
    if (s && s->kind == kind)
        return s;
    if (s && s->kind == SLOT_TILE && kind == SLOT_NUMBER)
        lower_error(l, o->span, "which tile a name stands for must be known before the run");
    else
        lower_error(l, o->span, "expected %s%s%s", kind_names[kind], s ? ", found " : "",
                    s ? kind_names[s->kind] : "");
    return NULL;
}

const struct slot *lower_slot(struct lower *l, const struct pto_op *op, const char *group, int n,
                              enum slot_kind kind)
{
    const struct pto_operand *o = pto_find_operand(op, group, n);
    if (o)
        return slot_of(l, o, kind);
    lower_error(l, op->span, "'%s' lacks an operand: expected %s%s%s", op->spelled,
                kind_names[kind], *group ? " in its group " : "", group);
    return NULL;
}

bool lower_number(struct lower *l, const struct pto_operand *o, struct operand *out)
{
    *out = imm_operand(o->number);
    if (!o->value)
        return true;
    const struct slot *s = slot_of(l, o, SLOT_NUMBER);
    if (s)
        *out = s->op;
    return s != NULL;
}

bool lower_constant(struct lower *l, const struct pto_operand *o, const char *what, int64_t *out)
{
    struct operand x;
    if (!lower_number(l, o, &x))
        return false;
    *out = x.imm;
    return x.reg == NO_REG || lower_error(l, o->span, "%s must be known before the run", what);
}

bool lower_set_number(struct lower *l, const struct pto_op *op, struct operand value)
{
    if (!op->results.len)
        return true;
    const struct pto_value *v = op->results.items[0];
    struct slot *s = lower_new(l, v);
    s->kind = SLOT_NUMBER;
    s->op = value;
    return v->type->kind == PTO_SCALAR && lower_need_elem(l, v->type->elem, v->span, &s->elem);
}

static const struct {
    const char *name;
    enum elem elem;
} elems[] = {
    {"index", ELEM_I64}, {"i64", ELEM_I64},  {"ui64", ELEM_I64}, {"si64", ELEM_I64},
    {"i32", ELEM_I32},   {"ui32", ELEM_I32}, {"si32", ELEM_I32}, {"i16", ELEM_I16},
    {"ui16", ELEM_I16},  {"si16", ELEM_I16}, {"i8", ELEM_I8},    {"si8", ELEM_I8},
    {"ui8", ELEM_U8},    {"i1", ELEM_U8},    {"f32", ELEM_F32},  {"f16", ELEM_F16},
    {"bf16", ELEM_BF16},
};

/* Number formats that the machine has no arithmetic for. */
static const char *const carried[] = {"f8E4M3FN",      "f8E5M2",        "f8E8M0FNU",
                                      "f8E8M0",        "!pto.f8E8M0",   "!pto.hif8",
                                      "!pto.f4E2M1x2", "!pto.f4E1M2x2", "f4E2M1FN"};

bool lower_is_carried(const char *name)
{
    for (size_t i = 0; i < sizeof carried / sizeof *carried; i++)
        if (!strcmp(name, carried[i]))
            return true;
    return false;
}

bool lower_elem(const char *name, enum elem *out)
{
    for (size_t i = 0; i < sizeof elems / sizeof *elems; i++)
        if (!strcmp(name, elems[i].name)) {
            *out = elems[i].elem;
            return true;
        }
    *out = ELEM_U8;
    return lower_is_carried(name);
}

bool lower_need_elem(struct lower *l, const char *name, struct span at, enum elem *out)
{
    return lower_elem(name, out) ||
           lower_error(l, at, "the machine has no elements of type %s", name);
}

/* ---- what has no row ---- */

/* Why an operation is read and not run (pto-facts 5): the first row that its name begins with. */
static const struct {
    const char *prefix, *reason;
} reasons[] = {
#define ASYNC   "the asynchronous engine is not modelled"
#define SLOTS   "tiles of several slots are not modelled"
#define NUMBERS "addresses as numbers are not modelled"
#define LOCKS   "locks of buffers are not modelled"
#define EVENTS  "a flag has a constant number; arrays of events are not modelled"
#define SIMT    "code for many threads (SIMT) is not modelled"
#define STAGE   "this is a later stage of the assembler; expected its input"
    {"cf.", "unstructured control flow is not run"},
    {"pto.comm.tput_async", ASYNC},
    {"pto.comm.tget_async", ASYNC},
    {"pto.comm.wait_async", ASYNC},
    {"pto.comm.test_async", ASYNC},
    {"pto.comm.build_async", ASYNC},
    {"pto.make_prefetch_async", ASYNC},
    {"pto.get_prefetch_async", ASYNC},
    {"pto.tprefetch_async", ASYNC},
    {"pto.wait_async_event", ASYNC},
    {"pto.comm.", "this communication is not modelled"},
    {"pto.struct", "structs are not modelled"},
    {"pto.declare_struct", "structs are not modelled"},
    {"pto.initialize_", STAGE},
    {"pto.tpush", STAGE},
    {"pto.tpop", STAGE},
    {"pto.tfree", STAGE},
    {"pto.talloc", "pipes that hand out their slots are not modelled"},
    {"pto.declare_global", "pipes that hand out their slots are not modelled"},
    {"pto.acc_push_epilogue", "what a push does to a tile on its way is not modelled"},
    {"pto.castptr", NUMBERS},
    {"pto.tile_buf_addr", NUMBERS},
    {"pto.ptrtoint", NUMBERS},
    {"pto.inttoptr", NUMBERS},
    {"pto.tassign", NUMBERS},
    {"pto.tsync", "the library's own events are not modelled"},
    {"pto.get_buf", LOCKS},
    {"pto.rls_buf", LOCKS},
    {"pto.set_quant", "quantisation by a state of the core is not modelled"},
    {"pto.declare_eventid_array", EVENTS},
    {"pto.eventid_array", EVENTS},
    {"pto.section.simt", SIMT},
    {"pto.simt", SIMT},
    {"pto.syncthreads", SIMT},
    {"scf.execute_region", "a region that is a value is not run"},
    {"pto.fusion_region", STAGE},
    {"memref.", STAGE},
    {"llvm.", STAGE},
    {"emitc.", STAGE},
    {"pto.v", "the micro-ISA is not run; expected the tile level"},
    {"", "no such operation is known; is it newer than 2026-08?"},
#undef ASYNC
#undef NUMBERS
#undef LOCKS
#undef EVENTS
#undef SIMT
#undef STAGE
};

static bool refuse(struct lower *l, const struct pto_op *op)
{
    size_t i = 0;
    while (strncmp(op->name, reasons[i].prefix, strlen(reasons[i].prefix)))
        i++;
    return lower_error(l, op->span, "operation '%s' is read but not run: %s", op->spelled,
                       reasons[i].reason);
}

/* It only works on tiles: all that it is given are tiles, numbers, and vectors that nobody reads. */
static bool only_tiles(struct lower *l, const struct pto_op *op)
{
    bool named = !strncmp(op->name, "pto.t", 5) && pto_find_operand(op, "outs", 0);
    vec_foreach (const struct pto_operand, o, &op->operands) {
        const struct slot *s = o->value ? map_get(&l->slots, o->value) : NULL;
        named &= !o->value || lower_is_vector(o->value->type) ||
                 (s && (s->kind == SLOT_TILE || s->kind == SLOT_NUMBER));
    }
    return named && !op->results.len && !op->regions.len;
}

/* ---- blocks and functions ---- */

static void note_anchor(struct lower *l, const struct pto_op *op, enum origin_kind origin)
{
    if (origin == ORIGIN_USER && !lower_is_pure(op))
        l->anchor = op->name;
}

/* Where the author wrote what stands on a line of the file. */
static void note_written(struct lower *l, const struct pto_op *op)
{
    while (l->written.len <= (size_t)op->span.line)
        vec_push(l->arena, &l->written, NULL);
    if (op->loc.file && !l->written.items[op->span.line])
        l->written.items[op->span.line] =
            arena_printf(l->arena, "%s:%d:%d", op->loc.file, op->loc.line, op->loc.col);
}

static bool operation(struct lower *l, const struct pto_block *b, size_t i)
{
    const struct pto_op *op = b->ops.items[i];
    const struct row *r = row_of(op->name);
    enum origin_kind outer = l->origin;
    note_written(l, op);
    l->origin = lower_origin(l, b, i);
    l->span = op->span;
    l->what = op->name;
    l->block = b;
    l->at = i;
    bool ok = r ? r->lower(l, op) : only_tiles(l, op) ? lower_compute(l, op) : refuse(l, op);
    if (!ok) /* unless something better has been said */
        return lower_error(l, op->span, "'%s' lacks an operand or a result", op->spelled);
    note_anchor(l, op, l->origin);
    l->origin = outer;
    return true;
}

bool lower_region(struct lower *l, const struct pto_region *r)
{
    const struct pto_block *b = r->blocks.items[0];
    if (r->blocks.len > 1 && r->blocks.items[1]->ops.len)
        return refuse(l, &(struct pto_op){.name = "cf.",
                                          .spelled = r->blocks.items[1]->label,
                                          .span = r->blocks.items[1]->ops.items[0]->span});
    for (size_t i = 0; i < b->ops.len; i++)
        if (!operation(l, b, i))
            return false;
    return true;
}

bool lower_lane(struct lower *l, int lane)
{
    tasks_enter(l, lane);
    const struct pto_op *func = l->func;
    const char *kind = tasks_kind(func);
    l->vector = kind && !strcmp(kind, "vector");
    int first = build_task_begin(&l->build, func->symbol, func->span);
    l->function = func->symbol;
    cross_begin(l);
    if (!bind_lane(l) || !tiles_prepare(l, func) || !lower_region(l, func->regions.items[0]))
        return false;
    l->span = func->span;
    cross_end(l);
    build_task_end(&l->build, func->symbol, func->span, first);
    return true;
}
