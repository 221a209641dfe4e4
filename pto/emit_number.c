/* SPDX-License-Identifier: MIT */
/* Registers as numbers, and scalar memory. */
#include <inttypes.h>
#include <string.h>

#include "pto/emit_internal.h"

const char *const value_type_names[] = {"index", "i1", "f32", "f16", "bf16"};

const char *emitter_elem(enum elem x)
{
    static const char *const names[] = {
        [ELEM_I8] = "i8",   [ELEM_U8] = "ui8",  [ELEM_I16] = "i16",   [ELEM_I32] = "i32",
        [ELEM_I64] = "i64", [ELEM_F16] = "f16", [ELEM_BF16] = "bf16", [ELEM_F32] = "f32"};
    return names[x];
}

enum value_type emitter_type_of(enum elem x)
{
    return x == ELEM_F32    ? VALUE_F32
           : x == ELEM_F16  ? VALUE_F16
           : x == ELEM_BF16 ? VALUE_BF16
                            : VALUE_INDEX;
}

struct value emitter_number(const char *name, enum value_type t)
{
    return (struct value){.kind = VALUE_NUMBER, .type = t, .name = name};
}

static struct value constant(int64_t n)
{
    return (struct value){.kind = VALUE_CONSTANT, .n = n};
}

struct value emitter_operand(struct emitter *e, struct operand o)
{
    if (o.reg == NO_REG)
        return constant(o.imm);
    struct value v = e->regs[o.reg];
    if (o.imm && (v.kind == VALUE_POINTER || v.kind == VALUE_CONSTANT))
        v.n += o.imm;
    return v;
}

/* ---- as an operation needs them ---- */

const char *emitter_typed(struct emitter *e, const struct value *v, enum value_type t)
{
    if (v->kind == VALUE_CONSTANT)
        return emitter_constant(e, v->n, value_type_names[t]);
    if (v->kind == VALUE_NUMBER && v->type == t)
        return v->name;
    emitter_error(e, "a number of type %s, where %s is needed, has no form in .pto",
                  v->kind == VALUE_NUMBER ? value_type_names[v->type] : "pointer",
                  value_type_names[t]);
    return NULL;
}

const char *emitter_index(struct emitter *e, const struct value *v)
{
    if (v->kind != VALUE_NUMBER || v->type != VALUE_I1)
        return emitter_typed(e, v, VALUE_INDEX);
    const char *x = emitter_new(e);
    emitter_line(e, "%s = arith.index_castui %s : i1 to index", x, v->name);
    return x;
}

const char *emitter_i1(struct emitter *e, const struct value *v)
{
    if (v->kind == VALUE_NUMBER && v->type == VALUE_I1)
        return v->name;
    const char *x = emitter_index(e, v), *c = x ? emitter_new(e) : NULL;
    if (x)
        emitter_line(e, "%s = arith.cmpi ne, %s, %s : index", c, x,
                     emitter_constant(e, 0, "index"));
    return c;
}

/* ---- arithmetic ---- */

static const struct {
    enum alu alu;
    const char *name;
} integers[] =
    {
        {ALU_ADD, "addi"},       {ALU_SUB, "subi"},
        {ALU_MUL, "muli"},       {ALU_FLOORDIV, "floordivsi"},
        {ALU_TRUNCDIV, "divsi"}, {ALU_TRUNCMOD, "remsi"},
        {ALU_MIN, "minsi"},      {ALU_MAX, "maxsi"},
        {ALU_AND, "andi"},       {ALU_OR, "ori"},
        {ALU_XOR, "xori"},       {ALU_SHL, "shli"},
        {ALU_SHR, "shrsi"},
},
  comparisons[] =
      {
          {ALU_EQ, "eq"},  {ALU_NE, "ne"},  {ALU_LT, "slt"},
          {ALU_LE, "sle"}, {ALU_GT, "sgt"}, {ALU_GE, "sge"},
},
  truths[] =
      {
          {ALU_LAND, "andi"},
          {ALU_LOR, "ori"},
          {ALU_LXOR, "xori"},
},
  floats[] =
      {
          {ALU_FADD, "addf"}, {ALU_FSUB, "subf"},     {ALU_FMUL, "mulf"},
          {ALU_FDIV, "divf"}, {ALU_FMIN, "minimumf"}, {ALU_FMAX, "maximumf"},
},
  float_comparisons[] = {
      {ALU_FEQ, "oeq"}, {ALU_FNE, "une"}, {ALU_FLT, "olt"},
      {ALU_FLE, "ole"}, {ALU_FGT, "ogt"}, {ALU_FGE, "oge"},
};
#define FIND(table, alu)                                                                           \
    find_name(&(table)[0].alu, &(table)[0].name, sizeof *(table), sizeof(table) / sizeof *(table), \
              alu)

static const char *find_name(const enum alu *key, const char *const *name, size_t step, size_t n,
                             enum alu alu)
{
    for (size_t i = 0; i < n; i++)
        if (*(const enum alu *)((const char *)key + i * step) == alu)
            return *(const char *const *)((const char *)name + i * step);
    return NULL;
}

/* base + bytes of a pointer, one of which leads to a peer where it is a difference of two window
 * bases. */
static bool move_pointer(struct emitter *e, struct value p, const struct value *by, bool back,
                         struct value *out)
{
    int size = p.region < 0 ? 8 : elem_size(e->p->regions[p.region].elem);
    *out = p;
    if (by->kind == VALUE_CONSTANT) {
        out->n += back ? -by->n : by->n;
        return true;
    }
    const char *bytes = emitter_index(e, by);
    if (!bytes)
        return false;
    if (by->difference && !back) {
        const char *n = emitter_new(e), *q = emitter_new(e),
                   *type = emitter_elem(e->p->regions[p.region].elem);
        emitter_line(e, "%s = arith.divsi %s, %s : index", n, bytes,
                     emitter_constant(e, size, "index"));
        emitter_line(e, "%s = pto.addptr %s, %s : !pto.ptr<%s> -> !pto.ptr<%s>", q, p.base, n, type,
                     type);
        out->base = q;
        return true;
    }
    const char *sum = bytes;
    if (p.name || back) {
        sum = emitter_new(e);
        emitter_line(e, "%s = arith.%s %s, %s : index", sum, back ? "subi" : "addi",
                     p.name ? p.name : emitter_constant(e, 0, "index"), bytes);
    }
    out->name = sum;
    return true;
}

static bool on_pointers(struct emitter *e, const struct insn *i, const struct value *x,
                        const struct value *y, struct value *out)
{
    if (i->sub == ALU_ADD && y->kind == VALUE_POINTER && x->kind != VALUE_POINTER)
        return move_pointer(e, *y, x, false, out);
    if ((i->sub == ALU_ADD || i->sub == ALU_SUB) && y->kind != VALUE_POINTER)
        return move_pointer(e, *x, y, i->sub == ALU_SUB, out);
    return emitter_error(e, "arithmetic on addresses has no form in .pto");
}

static bool convert(struct emitter *e, const struct insn *i, const struct value *x,
                    struct value *out)
{
    enum value_type from = emitter_type_of((enum elem)i->elem),
                    to = emitter_type_of((enum elem)i->elem2);
    const char *v = from == VALUE_INDEX ? emitter_index(e, x) : emitter_typed(e, x, from);
    const char *t = emitter_elem((enum elem)i->elem2);
    if (!v)
        return false;
    const char *r = emitter_new(e);
    *out = emitter_number(r, to);
    if (from != VALUE_INDEX && to != VALUE_INDEX) {
        emitter_line(e, "%s = arith.%s %s : %s to %s", r, to == VALUE_F32 ? "extf" : "truncf", v,
                     value_type_names[from], t);
        return true;
    }
    const char *narrow = emitter_new(e);
    if (from == VALUE_INDEX && to == VALUE_INDEX) {
        emitter_line(e, "%s = arith.index_cast %s : index to %s", narrow, v, t);
        emitter_line(e, "%s = arith.index_cast %s : %s to index", r, narrow, t);
    } else if (from == VALUE_INDEX) {
        emitter_line(e, "%s = arith.index_cast %s : index to i64", narrow, v);
        emitter_line(e, "%s = arith.sitofp %s : i64 to %s", r, narrow, t);
    } else {
        emitter_line(e, "%s = arith.fptosi %s : %s to %s", narrow, v, value_type_names[from], t);
        emitter_line(e, "%s = arith.index_cast %s : %s to index", r, narrow, t);
    }
    return true;
}

/* a - b * floor(a / b), as the kernel language has it. */
static bool floor_mod(struct emitter *e, const char *x, const char *y, struct value *out)
{
    const char *q = emitter_new(e), *m = emitter_new(e), *r = emitter_new(e);
    emitter_line(e, "%s = arith.floordivsi %s, %s : index", q, x, y);
    emitter_line(e, "%s = arith.muli %s, %s : index", m, q, y);
    emitter_line(e, "%s = arith.subi %s, %s : index", r, x, m);
    *out = emitter_number(r, VALUE_INDEX);
    return true;
}

static bool on_integers(struct emitter *e, const struct insn *i, const struct value *x,
                        const struct value *y, struct value *out)
{
    enum alu alu = (enum alu)i->sub;
    const char *a = emitter_index(e, x), *b = a ? emitter_index(e, y) : NULL, *name;
    if (!b)
        return false;
    if (alu == ALU_MOD)
        return floor_mod(e, a, b, out);
    const char *r = emitter_new(e), *zero = emitter_constant(e, 0, "index");
    *out = emitter_number(r, VALUE_INDEX);
    if ((name = FIND(integers, alu))) {
        emitter_line(e, "%s = arith.%s %s, %s : index", r, name, a, b);
        out->difference = alu == ALU_SUB && x->loaded && y->loaded;
    } else if ((name = FIND(comparisons, alu)) || alu == ALU_NOT) {
        emitter_line(e, "%s = arith.cmpi %s, %s, %s : index", r, name ? name : "eq", a,
                     name ? b : zero);
        out->type = VALUE_I1;
    } else if (alu == ALU_NEG) {
        emitter_line(e, "%s = arith.subi %s, %s : index", r, zero, a);
    } else if (alu == ALU_BITNOT) {
        emitter_line(e, "%s = arith.xori %s, %s : index", r, a, emitter_constant(e, -1, "index"));
    } else if (alu == ALU_ABS) {
        emitter_line(e, "%s = math.absi %s : index", r, a);
    } else {
        return emitter_error(e, "this arithmetic has no form in .pto");
    }
    return true;
}

static bool on_floats(struct emitter *e, const struct insn *i, const char *name, bool compares,
                      struct value *out)
{
    struct value x = emitter_operand(e, (struct operand){i->ra, i->imm2}),
                 y = emitter_operand(e, (struct operand){i->rb, i->imm});
    const char *a = emitter_typed(e, &x, VALUE_F32),
               *b = a ? emitter_typed(e, &y, VALUE_F32) : NULL;
    if (!b)
        return false;
    *out = emitter_number(emitter_new(e), compares ? VALUE_I1 : VALUE_F32);
    if (compares)
        emitter_line(e, "%s = arith.cmpf %s, %s, %s : f32", out->name, name, a, b);
    else
        emitter_line(e, "%s = arith.%s %s, %s : f32", out->name, name, a, b);
    return true;
}

static bool on_truths(struct emitter *e, const char *name, const struct value *x,
                      const struct value *y, struct value *out)
{
    const char *a = emitter_i1(e, x), *b = a ? emitter_i1(e, y) : NULL;
    if (!b)
        return false;
    *out = emitter_number(emitter_new(e), VALUE_I1);
    emitter_line(e, "%s = arith.%s %s, %s : i1", out->name, name, a, b);
    return true;
}

bool emitter_alu(struct emitter *e, const struct insn *i)
{
    enum alu alu = (enum alu)i->sub;
    struct value x = emitter_operand(e, (struct operand){i->ra, i->imm2}),
                 y = emitter_operand(e, (struct operand){i->rb, i->imm}), out;
    const char *name;
    bool ok;
    if (x.kind == VALUE_POINTER || y.kind == VALUE_POINTER)
        ok = on_pointers(e, i, &x, &y, &out);
    else if (alu == ALU_CVT)
        ok = convert(e, i, &x, &out);
    else if ((name = FIND(truths, alu)))
        ok = on_truths(e, name, &x, &y, &out);
    else if ((name = FIND(floats, alu)))
        ok = on_floats(e, i, name, false, &out);
    else if ((name = FIND(float_comparisons, alu)))
        ok = on_floats(e, i, name, true, &out);
    else
        ok = on_integers(e, i, &x, &y, &out);
    if (ok)
        e->regs[i->rd] = out;
    return ok;
}

/* ---- scalar memory ---- */

static const char *element_of(struct emitter *e, const struct value *p, int size)
{
    const char *bytes = p->name;
    if (!bytes && p->n % size == 0)
        return emitter_constant(e, p->n / size, "index");
    if (p->n && bytes) {
        bytes = emitter_new(e);
        emitter_line(e, "%s = arith.addi %s, %s : index", bytes, p->name,
                     emitter_constant(e, p->n, "index"));
    }
    const char *n = emitter_new(e);
    emitter_line(e, "%s = arith.divsi %s, %s : index", n,
                 bytes ? bytes : emitter_constant(e, p->n, "index"),
                 emitter_constant(e, size, "index"));
    return n;
}

static bool pointer(struct emitter *e, const struct insn *i, struct value *p)
{
    *p = emitter_operand(e, (struct operand){i->ra, i->imm});
    const struct region *r = p->kind == VALUE_POINTER ? &e->p->regions[p->region] : NULL;
    return (r && r->elem == i->elem) ||
           emitter_error(e, "an access to elements of another type than those of its tensor has no "
                            "form in .pto");
}

bool emitter_load(struct emitter *e, const struct insn *i)
{
    struct value p;
    enum elem x = (enum elem)i->elem;
    if (!pointer(e, i, &p))
        return false;
    const char *at = element_of(e, &p, elem_size(x)), *r = emitter_new(e), *t = emitter_elem(x);
    emitter_line(e, "%s = pto.load_scalar %s[%s] : !pto.ptr<%s> -> %s", r, p.base, at, t, t);
    struct value v = emitter_number(r, emitter_type_of(x));
    if (v.type == VALUE_INDEX) {
        v.name = emitter_new(e);
        emitter_line(e, "%s = arith.index_cast %s : %s to index", v.name, r, t);
    }
    v.loaded = e->p->regions[p.region].kind == REGION_CTX;
    e->regs[i->rd] = v;
    return true;
}

bool emitter_store(struct emitter *e, const struct insn *i)
{
    struct value p, x = emitter_operand(e, (struct operand){i->rb, i->imm2});
    enum value_type type = emitter_type_of((enum elem)i->elem);
    const char *t = emitter_elem((enum elem)i->elem), *v;
    if (!pointer(e, i, &p))
        return false;
    if (x.kind == VALUE_CONSTANT) {
        v = emitter_constant(e, x.n, t);
    } else if (type == VALUE_INDEX) {
        const char *wide = emitter_index(e, &x);
        v = wide ? emitter_new(e) : NULL;
        if (wide)
            emitter_line(e, "%s = arith.index_cast %s : index to %s", v, wide, t);
    } else {
        v = emitter_typed(e, &x, type);
    }
    if (v)
        emitter_line(e, "pto.store_scalar %s, %s[%s] : !pto.ptr<%s>, %s", v, p.base,
                     element_of(e, &p, elem_size((enum elem)i->elem)), t, t);
    return v != NULL;
}
