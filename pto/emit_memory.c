/* SPDX-License-Identifier: MIT */
/* Transfers, macros and markers, tiles. */
#include <inttypes.h>
#include <string.h>

#include "pto/emit_internal.h"

/* ---- parts of tensors ---- */

static const char *extent_text(struct emitter *e, struct operand o)
{
    return o.reg == NO_REG ? arena_printf(e->arena, "%" PRId64, o.imm) : "?";
}

struct part {
    const char *name, *type;
};

/* Bytes of a pointer as elements. */
static const char *elements(struct emitter *e, const struct value *p, int size)
{
    if (!p->name)
        return emitter_constant(e, p->n / size, "index");
    const char *bytes = p->name, *n = emitter_new(e);
    if (p->n) {
        bytes = emitter_new(e);
        emitter_line(e, "%s = arith.addi %s, %s : index", bytes, p->name,
                     emitter_constant(e, p->n, "index"));
    }
    emitter_line(e, "%s = arith.divsi %s, %s : index", n, bytes,
                 emitter_constant(e, size, "index"));
    return n;
}

/* rows x cols elements, of which one row lies stride elements behind the other: a part of the view
 * that begins where the pointer's tensor, or the peer's copy of it, does. */
static bool part_of(struct emitter *e, const struct value *p, struct operand rows,
                    struct operand cols, int64_t stride, struct part *out)
{
    if (p->kind != VALUE_POINTER)
        return emitter_error(e, "an address that comes from no tensor has no form in .pto");
    const struct region *r = &e->p->regions[p->region];
    struct value h = emitter_operand(e, rows), w = emitter_operand(e, cols);
    const char *height = emitter_index(e, &h), *width = height ? emitter_index(e, &w) : NULL;
    if (!width)
        return false;
    int size = elem_size(r->elem);
    int64_t whole = (int64_t)r->size / size, row = stride > 0 ? stride : whole;
    const char *at = elements(e, p, size), *view = emitter_new(e), *part = emitter_new(e),
               *type = emitter_elem(r->elem), *top = emitter_constant(e, 0, "index");
    if (!p->name) {
        top = emitter_constant(e, p->n / size / row, "index");
        at = emitter_constant(e, p->n / size % row, "index");
    }
    emitter_line(e,
                 "%s = pto.make_tensor_view %s, shape = [%s, %s], strides = [%s, %s] {layout = "
                 "#pto.layout<nd>} : !pto.tensor_view<?x?x%s>",
                 view, p->base, emitter_constant(e, (whole + row - 1) / row, "index"),
                 emitter_constant(e, row, "index"), emitter_constant(e, row, "index"),
                 emitter_constant(e, 1, "index"), type);
    out->name = part;
    out->type = arena_printf(e->arena, "!pto.partition_tensor_view<%sx%sx%s>", extent_text(e, rows),
                             extent_text(e, cols), type);
    emitter_line(e,
                 "%s = pto.partition_view %s, offsets = [%s, %s], sizes = [%s, %s] : "
                 "!pto.tensor_view<?x?x%s> -> %s",
                 part, view, top, at, height, width, type, out->type);
    return true;
}

static bool rows_part(struct emitter *e, const struct gm_rows *r, struct part *out)
{
    struct value p = emitter_operand(e, r->addr);
    return part_of(e, &p, r->rows, r->cols, r->gm_stride / elem_size(r->elem), out);
}

/* ---- tiles ---- */

static const char *new_tile_name(struct emitter *e, int tile)
{
    const char *name = e->b->tiles.items[tile].name;
    char *text = arena_printf(e->arena, "%%%s__t%d", name ? name : "tile", tile);
    for (char *c = text + 1; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *c))
            *c = '_';
    return text;
}

const char *emitter_tile(struct emitter *e, int tile)
{
    if (!e->tile_names[tile])
        emitter_error(e, "a tile that is popped in one branch or round and used in another is not "
                         "printed as .pto");
    return e->tile_names[tile];
}

static void used_by(struct emitter *e, const struct insn *i, bool *used)
{
    if (insn_any(i, CLASS_DMA))
        used[e->b->dmas.items[i->aux].tile] = true;
    if (i->op == I_TILE_LD || i->op == I_TILE_ST)
        used[i->aux] = true;
    if (i->op != I_TILE_OP)
        return;
    const struct tile_op *t = &e->b->tile_ops.items[i->aux];
    used[t->dst] = true;
    for (int k = 0; k < t->nsrc; k++)
        used[t->src[k]] = true;
}

/* How the memories hold their tiles. */
static const char *layout_of(const struct tile *t, const char *space)
{
    static const struct {
        const char *space, *layout;
    } layouts[] = {
        {"mat", "blayout=col_major, slayout=row_major, fractal=512"},
        {"left", "blayout=col_major, slayout=row_major, fractal=512"},
        {"right", "blayout=row_major, slayout=col_major, fractal=512"},
        {"acc", "blayout=col_major, slayout=row_major, fractal=1024"},
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (!strcmp(layouts[i].space, space))
            return layouts[i].layout;
    return t->cols == 1 && t->rows > 1 ? "blayout=col_major, slayout=none_box, fractal=512"
                                       : "blayout=row_major, slayout=none_box, fractal=512";
}

/* Some operation fills what is not valid of it with zeros, which its type says. */
static bool is_padded(const struct emitter *e, int n)
{
    vec_foreach (const struct tile_op, t, &e->b->tile_ops)
        if (t->kind == TILE_FILLPAD && t->dst == n)
            return true;
    return false;
}

/* Of a tile of that size which is held as t is. */
static const char *tile_type(struct emitter *e, const struct tile *t, int64_t rows, int64_t cols,
                             struct operand valid_rows, struct operand valid_cols, bool pad)
{
    const char *space = t->space ? t->space : "vec";
    return arena_printf(e->arena,
                        "!pto.tile_buf<loc=%s, dtype=%s, rows=%" PRId64 ", cols=%" PRId64
                        ", v_row=%s, v_col=%s, %s, pad=%d>",
                        space, emitter_elem(t->elem), rows, cols, extent_text(e, valid_rows),
                        extent_text(e, valid_cols), layout_of(t, space), pad);
}

void emitter_set_type(struct emitter *e, int tile, struct operand rows, struct operand cols)
{
    const struct tile *t = &e->b->tiles.items[tile];
    e->valid[tile] = (struct tile_valid){rows, cols, false};
    e->tile_types[tile] = tile_type(e, t, t->rows, t->cols, rows, cols, is_padded(e, tile));
}

/* All of it is valid; with `dynamic` that may change. */
static void set_whole_type(struct emitter *e, int tile, bool dynamic)
{
    const struct tile *t = &e->b->tiles.items[tile];
    struct operand rows = imm_operand(t->rows), cols = imm_operand(t->cols);
    emitter_set_type(e, tile, dynamic ? reg_operand(0) : rows, dynamic ? reg_operand(0) : cols);
    e->valid[tile] = (struct tile_valid){rows, cols, false};
}

/* A part of the tile that it lies in. */
static void emit_part(struct emitter *e, int n)
{
    const struct tile *t = &e->b->tiles.items[n], *home = &e->b->tiles.items[t->view_of - 1];
    int64_t at = (t->offset - home->offset) / elem_size(t->elem);
    bool same = !at && (int64_t)t->rows * t->cols == (int64_t)home->rows * home->cols;
    const char *type = e->tile_types[t->view_of - 1], *whole = e->tile_names[t->view_of - 1];
    if (same)
        emitter_line(e, "%s = pto.treshape %s : %s -> %s", e->tile_names[n], whole, type,
                     e->tile_types[n]);
    else
        emitter_line(e, "%s = pto.subview %s[%s, %s] sizes [%d, %d] : %s -> %s", e->tile_names[n],
                     whole, emitter_constant(e, at / tile_pitch(home), "index"),
                     emitter_constant(e, at % tile_pitch(home), "index"), t->rows, t->cols, type,
                     e->tile_types[n]);
}

static void emit_tile(struct emitter *e, int n)
{
    const struct tile *t = &e->b->tiles.items[n];
    e->tile_names[n] = new_tile_name(e, n);
    if (tile_pitch(t) != t->cols && t->view_of) {
        emit_part(e, n);
        return;
    }
    set_whole_type(e, n, true);
    emitter_line(e, "%s = pto.alloc_tile addr = %s valid_row = %s valid_col = %s : %s",
                 e->tile_names[n], emitter_constant(e, t->offset, "i64"),
                 emitter_constant(e, t->rows, "index"), emitter_constant(e, t->cols, "index"),
                 e->tile_types[n]);
}

static bool is_popped(const struct emitter *e, int tile, int first, int end)
{
    vec_foreach (const struct operation_code, o, &e->b->operations)
        for (int i = o->first; o->kind == OPERATION_POP && i >= first && i < end && i < o->end; i++)
            if (insn_any(&e->b->code.items[i], CLASS_DMA) &&
                e->b->dmas.items[e->b->code.items[i].aux].tile == tile)
                return true;
    return false;
}

void emitter_tiles(struct emitter *e, int first, int end)
{
    int n = (int)e->b->tiles.len;
    bool *used = arena_array(e->arena, bool, (size_t)n + 1);
    for (int i = first; i < end; i++)
        used_by(e, &e->b->code.items[i], used);
    for (int i = 0; i < n; i++)
        if (used[i])
            used[tile_home(e->b->tiles.items, i)] = true;
    for (int i = 0; i < n; i++) {
        if (!used[i])
            continue;
        set_whole_type(e, i, false);
        if (!is_popped(e, tile_home(e->b->tiles.items, i), first, end))
            emit_tile(e, i);
    }
}

const char *emitter_popped(struct emitter *e, int tile)
{
    e->tile_names[tile] = arena_printf(e->arena, "%s_%d", new_tile_name(e, tile), e->next++);
    vec_push(e->arena, &e->popped, tile);
    return e->tile_names[tile];
}

void emitter_parts(struct emitter *e, int tile)
{
    for (int i = 0; i < (int)e->b->tiles.len; i++)
        if (e->tile_types[i] && e->b->tiles.items[i].view_of == tile + 1) {
            emitter_popped(e, i);
            emit_part(e, i);
        }
}

/* ---- transfers ---- */

/* The part of a tile that a transfer goes to or comes from, where that is not the beginning of it: its
 * rows and columns are given as they are in the tile. */
static bool part_of_tile(struct emitter *e, const struct dma *d, struct operand rows,
                         struct operand cols, struct part *out)
{
    if (rows.reg != NO_REG || cols.reg != NO_REG)
        return emitter_error(e, "a transfer to a place in a tile whose extents the run computes is "
                                "not printed as .pto");
    const struct tile *t = &e->b->tiles.items[d->tile];
    int64_t size = elem_size(t->elem), row = tile_pitch(t) * size;
    struct value bytes = emitter_operand(e, d->placed ? d->value : imm_operand(d->tile_offset));
    const char *whole = emitter_tile(e, d->tile), *at = whole ? emitter_index(e, &bytes) : NULL;
    if (!at)
        return false;
    const char *top, *left;
    if (bytes.kind == VALUE_CONSTANT) {
        top = emitter_constant(e, bytes.n / row, "index");
        left = emitter_constant(e, bytes.n % row / size, "index");
    } else {
        const char *row_bytes = emitter_constant(e, row, "index"), *rest = emitter_new(e);
        top = emitter_new(e);
        left = emitter_new(e);
        emitter_line(e, "%s = arith.divsi %s, %s : index", top, at, row_bytes);
        emitter_line(e, "%s = arith.remsi %s, %s : index", rest, at, row_bytes);
        emitter_line(e, "%s = arith.divsi %s, %s : index", left, rest,
                     emitter_constant(e, size, "index"));
    }
    out->name = emitter_new(e);
    out->type = tile_type(e, t, rows.imm, cols.imm, rows, cols, false);
    emitter_line(e, "%s = pto.subview %s[%s, %s] sizes [%" PRId64 ", %" PRId64 "] : %s -> %s",
                 out->name, whole, top, left, rows.imm, cols.imm, e->tile_types[d->tile],
                 out->type);
    return true;
}

/* Rows that become columns of the tile: the view is the other way round (pto-facts 1.5). */
static bool turned_part(struct emitter *e, const struct gm_rows *r, struct part *out)
{
    struct value p = emitter_operand(e, r->addr);
    const struct region *g = p.kind == VALUE_POINTER ? &e->p->regions[p.region] : NULL;
    if (!g || r->rows.reg != NO_REG || r->cols.reg != NO_REG)
        return emitter_error(e, "a transfer of this form is not printed as .pto");
    const char *type = emitter_elem(g->elem), *view = emitter_new(e), *part = emitter_new(e),
               *zero = emitter_constant(e, 0, "index"), *one = emitter_constant(e, 1, "index");
    int64_t row = r->gm_stride / elem_size(g->elem), whole = (int64_t)g->size / elem_size(g->elem);
    const char *at = elements(e, &p, elem_size(g->elem));
    emitter_line(e,
                 "%s = pto.make_tensor_view %s, shape = [%s, %s], strides = [%s, %s] {layout = "
                 "#pto.layout<dn>} : !pto.tensor_view<?x?x%s>",
                 view, p.base, emitter_constant(e, row, "index"),
                 emitter_constant(e, (whole + row - 1) / row, "index"), one,
                 emitter_constant(e, row, "index"), type);
    out->name = part;
    out->type = arena_printf(e->arena, "!pto.partition_tensor_view<%" PRId64 "x%" PRId64 "x%s>",
                             r->cols.imm, r->rows.imm, type);
    emitter_line(e,
                 "%s = pto.partition_view %s, offsets = [%s, %s], sizes = [%s, %s] : "
                 "!pto.tensor_view<?x?x%s> -> %s",
                 part, view, at, zero, emitter_constant(e, r->cols.imm, "index"),
                 emitter_constant(e, r->rows.imm, "index"), type, out->type);
    return true;
}

bool emitter_transfer(struct emitter *e, const struct insn *i)
{
    const struct dma *d = &e->b->dmas.items[i->aux];
    const struct tile *t = &e->b->tiles.items[d->tile];
    struct gm_rows rows = {.addr = d->address,
                           .rows = d->rows,
                           .cols = d->cols,
                           .elem = d->elem,
                           .gm_stride = d->gm_stride};
    struct part part, tile = {emitter_tile(e, d->tile), e->tile_types[d->tile]};
    if (d->immediate || d->tile_stride != (int64_t)tile_pitch(t) * elem_size(t->elem))
        return emitter_error(e, "a transfer whose rows are longer than those of its tile is not "
                                "printed as .pto");
    bool ok = d->turned ? turned_part(e, &rows, &part) : rows_part(e, &rows, &part);
    if (!ok || !tile.name)
        return false;
    if ((d->placed || d->turned || d->tile_offset) &&
        !part_of_tile(e, d, d->turned ? d->cols : d->rows, d->turned ? d->rows : d->cols, &tile))
        return false;
    if (i->op == I_MTE2)
        emitter_line(e, "pto.tload ins(%s : %s) outs(%s : %s)", part.name, part.type, tile.name,
                     tile.type);
    else
        emitter_line(e, "pto.tstore ins(%s : %s) outs(%s : %s)%s", tile.name, tile.type, part.name,
                     part.type,
                     d->atomic_add ? " {atomicType = #pto<atomic_type atomic_add>}" : "");
    return true;
}

bool emitter_copy(struct emitter *e, const struct macro_code *m)
{
    const struct macro_copy *c = &m->copy;
    const struct insn *first = &e->b->code.items[m->first];
    bool get = first->what && strstr(first->what, "get");
    struct part dst, src;
    if (!c->nstages)
        return emitter_error(e, "'%s' is not printed as .pto", first->what ? first->what : "macro");
    if (!rows_part(e, &c->dst, &dst) || !rows_part(e, &c->src, &src))
        return false;
    const char *stages = emitter_tile(e, c->stage[0]), *types = e->tile_types[c->stage[0]];
    if (c->nstages > 1) {
        stages = arena_printf(e->arena, "%s, %s", stages, emitter_tile(e, c->stage[1]));
        types = arena_printf(e->arena, "%s, %s", types, e->tile_types[c->stage[1]]);
    }
    emitter_line(e, "pto.comm.%s(%s, %s, buf(%s) : %s, %s, %s)%s", get ? "tget" : "tput", dst.name,
                 src.name, stages, dst.type, src.type, types,
                 get         ? ""
                 : c->atomic ? " {atomicType = #pto<atomic_type atomic_add>}"
                             : " {atomicType = #pto<atomic_type atomic_none>}");
    return true;
}

/* ---- signals ---- */

static bool cell(struct emitter *e, const struct insn *i, struct operand value, struct part *part,
                 const char **v)
{
    struct value p = emitter_operand(e, (struct operand){i->ra, i->imm}),
                 x = emitter_operand(e, value);
    if (!part_of(e, &p, imm_operand(1), imm_operand(1), 1, part))
        return false;
    if (x.kind == VALUE_CONSTANT) {
        *v = emitter_constant(e, x.n, "i32");
        return true;
    }
    const char *wide = emitter_index(e, &x);
    *v = wide ? emitter_new(e) : NULL;
    if (wide)
        emitter_line(e, "%s = arith.index_cast %s : index to i32", *v, wide);
    return wide != NULL;
}

int emitter_notify(struct emitter *e, int at)
{
    const struct insn *code = e->b->code.items;
    int end = (int)e->b->code.len, store = at;
    while (store < end && !insn_all(&code[store], CLASS_STORE | CLASS_CACHED))
        store++;
    int last = store;
    while (last < end && code[last].op != I_BARRIER)
        last++;
    struct part part;
    const char *v;
    if (last == end) {
        emitter_error(e, "this TNOTIFY has no form in .pto");
        return -1;
    }
    const struct insn *s = &code[store];
    if (!cell(e, s, (struct operand){s->rb, s->imm2}, &part, &v))
        return -1;
    emitter_line(e, "pto.comm.tnotify(%s, %s : %s, i32) {notifyOp = #pto<notify_op %s>}", part.name,
                 v, part.type, s->op == I_ST ? "set" : "atomic_add");
    return last + 1;
}

bool emitter_wait(struct emitter *e, const struct insn *i)
{
    struct part part;
    const char *v;
    if (i->op != I_POLL || (i->sub != CMP_EQ && i->sub != CMP_GE))
        return emitter_error(e, "this wait has no form in .pto");
    if (!cell(e, i, (struct operand){i->rb, i->imm2}, &part, &v))
        return false;
    emitter_line(e, "pto.comm.twait(%s, %s : %s, i32) {cmp = #pto<wait_cmp %s>}", part.name, v,
                 part.type, i->sub == CMP_EQ ? "eq" : "ge");
    return true;
}

bool emitter_cacheinvalid(struct emitter *e, const struct insn *i)
{
    struct part part;
    if (i->op == I_DCCI_ALL) {
        emitter_line(e, "pto.cmo.cacheinvalid all #pto.address_space<gm>");
        return true;
    }
    struct value p = emitter_operand(e, (struct operand){i->ra, i->imm});
    if (!part_of(e, &p, imm_operand(1), imm_operand(1), 1, &part))
        return false;
    emitter_line(e, "pto.cmo.cacheinvalid %s single_cache_line : %s", part.name, part.type);
    return true;
}

/* ---- what works on tiles ---- */

/* The operation of a kind, by its name in the machine's table: "add" is pto.tadd. */
static const char *tile_operation(struct emitter *e, const struct tile_op *t)
{
    static const struct {
        enum tile_op_kind kind;
        const char *name;
    } others[] = {{TILE_COPY, "mov"},       {TILE_CAST, "cvt"},       {TILE_FILL, "expands"},
                  {TILE_RAMP, "ci"},        {TILE_ROW_SUM, "rowsum"}, {TILE_ROW_MAX, "rowmax"},
                  {TILE_ROW_MIN, "rowmin"}, {TILE_GATHER, "gather"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].kind == t->kind)
            return others[i].name;
    enum tile_form form = (enum tile_form)tile_op_rows[t->kind].form;
    if (t->kind == TILE_ACCUMULATE && t->scalar.reg == NO_REG && !t->scalar.imm)
        return strstr(t->name, "matmul_acc") ? "matmul.acc"
               : strstr(t->name, "gemv_acc") ? "gemv.acc"
                                             : NULL;
    if (t->kind == TILE_FILLPAD && t->scalar.reg == NO_REG && !t->scalar.imm)
        return "fillpad";
    if (form == FORM_BINARY || form == FORM_SCALAR || form == FORM_UNARY)
        return tile_op_rows[t->kind].name;
    const char *name = t->name ? strrchr(t->name, '.') : NULL;
    if (t->kind == TILE_UNINTERPRETED && name)
        return name + 1;
    emitter_error(e, "'%s' on tiles is not printed as .pto", t->name ? t->name : "an operation");
    return NULL;
}

static const char *rounding(const struct tile_op *t)
{
    static const char *const modes[] = {
        [CAST_NONE] = "NONE",   [CAST_RINT] = "RINT", [CAST_ROUND] = "ROUND",
        [CAST_FLOOR] = "FLOOR", [CAST_CEIL] = "CEIL", [CAST_TRUNC] = "TRUNC",
        [CAST_ODD] = "ODD"};
    return modes[t->scalar.imm];
}

static bool scalar_input(struct emitter *e, const struct tile_op *t, struct strbuf *names,
                         struct strbuf *types)
{
    int form = tile_op_rows[t->kind].form;
    if (form != FORM_SCALAR && form != FORM_FILL)
        return true;
    const char *type = emitter_elem(e->b->tiles.items[t->dst].elem), *v;
    struct value x = emitter_operand(e, t->scalar);
    if (x.kind == VALUE_CONSTANT) {
        v = emitter_constant(e, x.n, type);
    } else if (elem_is_float(e->b->tiles.items[t->dst].elem)) {
        v = x.type == VALUE_F32 && !strcmp(type, "f32") ? x.name : NULL;
        if (!v)
            return emitter_error(
                e, "the number of an operation on tiles of %s is not printed as .pto", type);
    } else {
        const char *wide = emitter_index(e, &x);
        if (!wide)
            return false;
        v = emitter_new(e);
        emitter_line(e, "%s = arith.index_cast %s : index to %s", v, wide, type);
    }
    strbuf_addf(names, "%s%s", names->len ? ", " : "", v);
    strbuf_addf(types, "%s%s", types->len ? ", " : "", type);
    return true;
}

bool emitter_valid(struct emitter *e, int tile, struct operand rows, struct operand cols)
{
    struct value h = emitter_operand(e, rows), w = emitter_operand(e, cols);
    const char *height = emitter_index(e, &h), *width = height ? emitter_index(e, &w) : NULL;
    if (width)
        emitter_line(e, "pto.set_validshape %s, %s, %s : %s", e->tile_names[tile], height, width,
                     e->tile_types[tile]);
    return width != NULL;
}

static bool tile_op(struct emitter *e, const struct tile_op *t)
{
    struct strbuf names = strbuf_make(e->arena), types = strbuf_make(e->arena);
    const char *name = tile_operation(e, t);
    if (!name)
        return false;
    for (int k = 0; k < t->nsrc; k++) {
        const char *tile = emitter_tile(e, t->src[k]);
        if (!tile)
            return false;
        strbuf_addf(&names, "%s%s", k ? ", " : "", tile);
        strbuf_addf(&types, "%s%s", k ? ", " : "", e->tile_types[t->src[k]]);
    }
    if (!scalar_input(e, t, &names, &types) || !emitter_tile(e, t->dst))
        return false;
    const char *mode = t->kind == TILE_CAST
                           ? arena_printf(e->arena, " {rmode = #pto<round_mode %s>}", rounding(t))
                           : "";
    emitter_line(e, "pto.t%s ins(%s%s : %s) outs(%s : %s)", name, names.text, mode, types.text,
                 emitter_tile(e, t->dst), e->tile_types[t->dst]);
    return true;
}

/* What is filled up is all but the valid part of the source. */
static bool fillpad(struct emitter *e, const struct tile_op *t)
{
    const struct tile *x = &e->b->tiles.items[t->src[0]];
    return emitter_tile(e, t->src[0]) && emitter_valid(e, t->src[0], t->rows, t->cols) &&
           tile_op(e, t) && emitter_valid(e, t->src[0], imm_operand(x->rows), imm_operand(x->cols));
}

bool emitter_tile_op(struct emitter *e, const struct insn *i)
{
    const struct tile_op *t = &e->b->tile_ops.items[i->aux];
    return t->kind == TILE_FILLPAD ? fillpad(e, t) : tile_op(e, t);
}

/* A number as an element of that type, or NULL after an error. */
static const char *as_element(struct emitter *e, const struct value *v, enum elem x)
{
    const char *type = emitter_elem(x);
    if (v->kind == VALUE_CONSTANT)
        return emitter_constant(e, v->n, type);
    if (elem_is_float(x))
        return emitter_typed(e, v, emitter_type_of(x));
    const char *wide = emitter_index(e, v), *narrow = wide ? emitter_new(e) : NULL;
    if (wide)
        emitter_line(e, "%s = arith.index_cast %s : index to %s", narrow, wide, type);
    return narrow;
}

bool emitter_tile_access(struct emitter *e, const struct insn *i)
{
    struct value at = emitter_operand(e, (struct operand){i->ra, i->imm}),
                 v = emitter_operand(e, (struct operand){i->rb, i->imm2});
    const char *n = emitter_index(e, &at), *tile = n ? emitter_tile(e, i->aux) : NULL,
               *type = e->tile_types[i->aux];
    enum elem x = e->b->tiles.items[i->aux].elem;
    const char *t = emitter_elem(x);
    if (!tile)
        return false;
    if (i->op == I_TILE_ST) {
        const char *element = as_element(e, &v, x);
        if (element)
            emitter_line(e, "pto.tsetval ins(%s, %s : index, %s) outs(%s : %s)", n, element, t,
                         tile, type);
        return element != NULL;
    }
    const char *r = emitter_new(e);
    emitter_line(e, "%s = pto.tgetval ins(%s, %s : %s, index) outs : %s", r, tile, n, type, t);
    e->regs[i->rd] = emitter_number(r, emitter_type_of(x));
    if (elem_is_float(x))
        return true;
    const char *wide = emitter_new(e);
    emitter_line(e, "%s = arith.index_cast %s : %s to index", wide, r, t);
    e->regs[i->rd] = emitter_number(wide, VALUE_INDEX);
    return true;
}
