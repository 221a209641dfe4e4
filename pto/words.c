/* SPDX-License-Identifier: MIT */
#include "pto/words.h"

#include <string.h>

#include "pto/ops.h"

/* Known words, each list ended by NULL. */
typedef const char *const words[];

static words types = {"!pto.ptr",
                      "!pto.tensor_view",
                      "!pto.partition_tensor_view",
                      "!pto.tile_buf",
                      "!pto.multi_tile_buf",
                      "!pto.tile_view",
                      "!pto.pipe",
                      "!pto.struct",
                      "!pto.local_array",
                      "!pto.eventid_array",
                      "!pto.async_session",
                      "!pto.async_event",
                      "!pto.prefetch_async_context",
                      "!pto.hif8",
                      "!pto.hif8x2",
                      "!pto.vreg",
                      "!pto.mask",
                      NULL};
static words elements = {"index",  "i1",       "i8",     "i16",       "i32",  "i64",  "ui8",
                         "ui16",   "ui32",     "ui64",   "si8",       "si16", "si32", "si64",
                         "f16",    "bf16",     "f32",    "f64",       "tf32", "none", "hif8",
                         "f8E4M3", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", NULL};
static words spaces = {"gm",  "ub",  "l1",   "l0a",   "l0b", "l0c",  "bt",      "fb",
                       "vec", "mat", "left", "right", "acc", "bias", "scaling", NULL};
static words layouts = {"row_major", "col_major", "none_box", NULL};
static words fields = {"loc",     "dtype",   "rows",    "cols", "v_row",   "v_col", "valid",
                       "blayout", "slayout", "fractal", "pad",  "compact", NULL};
/* That stand alone in an operation. */
static words alone = {"to",         "private",
                      "public",     "all",
                      "else",       "eq",
                      "ne",         "slt",
                      "sle",        "sgt",
                      "sge",        "ult",
                      "ule",        "ugt",
                      "uge",        "dense",
                      "call",       "step",
                      "ins",        "outs",
                      "nd2nz",      "nz2nd",
                      "nz2nz",      "nz2dn",
                      "pre_quant",  "single_cache_line",
                      "attributes", "iter_args",
                      NULL};
static words keys = {"pto.kernel",
                     "pto.kernel_kind",
                     "pto.target_arch",
                     "pto.entry",
                     "pto.aicore",
                     "pto.backend",
                     "pto.mode",
                     "pto.visibility",
                     "layout",
                     "location",
                     "notifyOp",
                     "cmp",
                     "cmpMode",
                     "rmode",
                     "atomicType",
                     "transpose",
                     "precisionType",
                     "id",
                     "name",
                     "size",
                     "split",
                     "nosplit",
                     "auto",
                     "dir_mask",
                     "slot_size",
                     "slot_num",
                     "peer_func",
                     "mode",
                     "base",
                     "root",
                     "offset",
                     "dist",
                     "coalesce",
                     "accPhase",
                     "stPhase",
                     "core_type",
                     "reluPreMode",
                     "quant_type",
                     "reduceOp",
                     NULL};
static words sorts = {"kernel_kind",     "layout",    "address_space", "notify_op",
                      "wait_cmp",        "pipe",      "fence_scope",   "round_mode",
                      "atomic_type",     "cmp",       "div_precision", "coalesce",
                      "sync_op_type",    "acc_phase", "event",         "st_phase",
                      "pipe_event_type", "reduce_op", "mask_pattern",  NULL};

/* The values of an enumerated attribute. */
static const struct {
    const char *sort;
    const char *values[12];
} enumerations[] = {
    {"kernel_kind", {"vector", "cube", "mixed"}},
    {"layout", {"nd", "dn", "nz"}},
    {"fence_scope", {"gm", "ddr", "local_memory", "all"}},
    {"notify_op", {"set", "atomic_add"}},
    {"wait_cmp", {"eq", "ne", "gt", "ge", "lt", "le"}},
    {"cmp", {"eq", "ne", "gt", "ge", "lt", "le"}},
    {"atomic_type", {"atomic_none", "atomic_add", "atomic_max", "atomic_min"}},
    {"pipe",
     {"PIPE_ALL", "PIPE_S", "PIPE_V", "PIPE_M", "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX"}},
    {"address_space", {"gm", "vec", "mat", "left", "right", "acc", "bias", "scaling", "ub"}},
};

/* The word, n letters of text, is known, or like none that is. */
static bool is_known(const struct pto_file *f, struct span at, const char *text, size_t n,
                     const char *what, const char *const *known, struct diag *d)
{
    const char *near = NULL;
    for (; *known; known++) {
        if (strlen(*known) == n && !strncmp(text, *known, n))
            return true;
        near = !near && diag_is_typo(text, n, *known) ? *known : near;
    }
    return !near || diag_error(d, f->source, at, "'%.*s' is no %s; did you mean '%s'?", (int)n,
                               text, what, near);
}

static bool word_known(const struct pto_file *f, struct span at, const char *text, const char *what,
                       const char *const *known, struct diag *d)
{
    return !text || is_known(f, at, text, strlen(text), what, known, d);
}

/* What a tile type has behind its usual fields is kept as it stands: "..., pad=0, compact=1>". */
static bool more_fields(const struct pto_file *f, struct span at, const char *text, struct diag *d)
{
    for (const char *p = strchr(text, '<'); p && *p; p += strcspn(p, ",")) {
        p += 1 + strspn(p + 1, " ");
        size_t n = strcspn(p, "=,>");
        if (p[n] == '=' && !is_known(f, at, p, n, "field of a tile", fields, d))
            return false;
    }
    return true;
}

static bool type_known(const struct pto_file *f, struct span at, const struct pto_type *t,
                       struct diag *d)
{
    if (!t)
        return true;
    if (t->kind == PTO_OTHER)
        return *t->text != '!' || is_known(f, at, t->text, strcspn(t->text, "<"), "type", types, d);
    if (*t->elem != '!' && !word_known(f, at, t->elem, "element type", elements, d))
        return false;
    bool tile = t->kind == PTO_TILE || t->kind == PTO_TILES;
    return word_known(f, at, t->space, "address space", spaces, d) &&
           (!tile || (word_known(f, at, t->blayout, "layout", layouts, d) &&
                      word_known(f, at, t->slayout, "layout", layouts, d) &&
                      more_fields(f, at, t->text, d)));
}

static bool attr_known(const struct pto_file *f, const struct pto_attr *a, struct diag *d)
{
    if (!word_known(f, a->span, *a->name ? a->name : NULL, "attribute", keys, d))
        return false;
    static words dialect = {"#pto", NULL};
    if (a->text && *a->text == '#' &&
        !is_known(f, a->span, a->text, strcspn(a->text, "<."), "dialect", dialect, d))
        return false;
    if (a->kind != PTO_ENUM || !a->sort || strpbrk(a->sort, "<=, "))
        return true;
    if (!word_known(f, a->span, a->sort, "kind of attribute", sorts, d))
        return false;
    for (size_t i = 0; i < sizeof enumerations / sizeof *enumerations; i++)
        if (!strcmp(a->sort, enumerations[i].sort))
            return word_known(f, a->span, a->word, a->sort, enumerations[i].values, d);
    return true;
}

/* The names in front of operands, as in addr = %c0. */
static bool groups_known(const struct pto_file *f, const struct pto_op *op, struct diag *d)
{
    const char *known[PTO_MAX_GROUPS + 1] = {NULL};
    const struct pto_op_kind *kind = pto_op_find(op->name);
    if (!kind)
        return true;
    pto_op_groups(d->arena, kind, known);
    vec_foreach (const struct pto_operand, o, &op->operands)
        if (*o->group && !word_known(f, o->span, o->group, "operand of this operation", known, d))
            return false;
    return true;
}

static bool block_known(const struct pto_file *f, const struct pto_block *b, struct diag *d);

static bool op_known(const struct pto_file *f, const struct pto_op *op, struct diag *d)
{
    vec_foreach (const char *, word, &op->words)
        if (**word != '^' && !word_known(f, op->span, *word, "word of an operation", alone, d))
            return false;
    vec_foreach (const struct pto_attr, a, &op->attrs)
        if (!attr_known(f, a, d))
            return false;
    if (!groups_known(f, op, d))
        return false;
    vec_foreach (const struct pto_part, p, &op->parts)
        if (p->kind == PTO_PART_TYPE && !type_known(f, op->span, p->type, d))
            return false;
    vec_foreach (struct pto_region *, r, &op->regions)
        vec_foreach (struct pto_block *, inner, &(*r)->blocks)
            if (!block_known(f, *inner, d))
                return false;
    return true;
}

static bool block_known(const struct pto_file *f, const struct pto_block *b, struct diag *d)
{
    vec_foreach (struct pto_value *, v, &b->args)
        if (!type_known(f, (*v)->span, (*v)->type, d))
            return false;
    vec_foreach (struct pto_op *, op, &b->ops)
        if (!op_known(f, *op, d))
            return false;
    return true;
}

bool pto_words_known(const struct pto_file *f, struct diag *d)
{
    return block_known(f, &f->top, d);
}

bool pto_top_known(const struct pto_file *f, struct diag *d)
{
    static words names = {"module", "func.func", NULL};
    vec_foreach (struct pto_op *, op, &f->top.ops)
        if (!word_known(f, (*op)->span, (*op)->name, "operation", names, d))
            return false;
    return true;
}
