/* SPDX-License-Identifier: MIT */
/* Views, transfers, scalar accesses, markers (pto-facts 3.1, 3.3). */
#include <stdlib.h>
#include <string.h>

#include "pto/lower.h"

/* ---- places ---- */

static bool numbers(struct lower *l, const struct pto_op *op, const char *group,
                    struct operand *out, int *n)
{
    *n = pto_count_operands(op, group);
    if (*n > PTO_MAX_DIMS)
        return lower_error(l, op->span, "a view has at most %d dimensions", PTO_MAX_DIMS);
    for (int i = 0; i < *n; i++)
        if (!lower_number(l, pto_find_operand(op, group, i), &out[i]))
            return false;
    return true;
}

bool lower_view(struct lower *l, const struct pto_op *op)
{
    const struct slot *p = lower_slot(l, op, "", 0, SLOT_POINTER);
    int strides;
    if (!p || !op->results.len)
        return false;
    struct slot *s = lower_new(l, op->results.items[0]);
    *s = *p;
    s->kind = SLOT_VIEW;
    if (!numbers(l, op, "shape", s->extent, &s->ndims) ||
        !numbers(l, op, "strides", s->stride, &strides))
        return false;
    return (s->ndims > 0 && strides == s->ndims) ||
           lower_error(l, op->span, "expected a shape and as many strides");
}

bool lower_view_extent(struct lower *l, const struct pto_op *op)
{
    const struct slot *v = lower_slot(l, op, "", 0, SLOT_VIEW);
    int64_t i;
    if (!v || op->operands.len != 2 ||
        !lower_constant(l, &op->operands.items[1], "the number of a dimension", &i))
        return false;
    const struct operand *of = lower_detail(op) ? v->stride : v->extent;
    return i >= 0 && i < v->ndims
               ? lower_set_number(l, op, of[i])
               : lower_error(l, op->span, "the view has %d dimensions", v->ndims);
}

/* addr + n elements. */
static struct operand moved(struct lower *l, struct operand addr, struct operand n, enum elem e)
{
    struct operand bytes = build_scaled(&l->build, n, elem_size(e));
    if (bytes.reg == NO_REG) {
        addr.imm += bytes.imm;
        return addr;
    }
    return build_plus(&l->build, addr, bytes);
}

bool lower_partition(struct lower *l, const struct pto_op *op)
{
    const struct slot *v = lower_slot(l, op, "", 0, SLOT_VIEW);
    struct operand at[PTO_MAX_DIMS];
    int offsets, sizes;
    if (!v || !op->results.len)
        return false;
    struct slot *s = lower_new(l, op->results.items[0]);
    *s = *v;
    if (!numbers(l, op, "offsets", at, &offsets) || !numbers(l, op, "sizes", s->extent, &sizes))
        return false;
    if (offsets != v->ndims || sizes != v->ndims)
        return lower_error(l, op->span, "expected %d offsets and sizes", v->ndims);
    struct operand sum = imm_operand(0);
    for (int i = 0; i < offsets; i++)
        sum =
            build_alu(&l->build, ALU_ADD, build_alu(&l->build, ALU_MUL, at[i], v->stride[i]), sum);
    s->op = moved(l, s->op, sum, s->elem);
    return true;
}

/* A pointer that is moved by what a run computes leads to a peer's copy. */
bool lower_addptr(struct lower *l, const struct pto_op *op)
{
    const struct slot *p = lower_slot(l, op, "", 0, SLOT_POINTER);
    struct operand n;
    if (!p || op->operands.len != 2 || !op->results.len ||
        !lower_number(l, &op->operands.items[1], &n))
        return false;
    struct slot *s = lower_new(l, op->results.items[0]);
    *s = *p;
    s->op = moved(l, p->op, n, p->elem);
    s->use.peer |= n.reg != NO_REG;
    return true;
}

/* ---- transfers ---- */

static bool constant_stride(struct lower *l, const struct pto_op *op, struct operand s,
                            int64_t *out)
{
    *out = s.imm;
    return s.reg == NO_REG ||
           lower_error(l, op->span, "the strides of a view must be known before the run");
}

static bool is_one(struct operand o)
{
    return o.reg == NO_REG && o.imm == 1;
}

static int dense_dimension(const struct slot *v)
{
    int last = v->ndims - 1;
    if (is_one(v->stride[last]) || is_one(v->extent[last]) || v->ndims == 1)
        return last;
    return v->ndims > 1 && is_one(v->stride[last - 1]) ? last - 1 : -1;
}

/* The first dimensions of a view that are gone through one by one: what lies behind them is evenly
 * spaced. */
static int leading_dims(const struct slot *v, int dense)
{
    int64_t count = 1, stride = 0;
    bool any = false;
    for (int i = v->ndims - 1; i >= 0; i--) {
        if (i == dense || is_one(v->extent[i]))
            continue;
        if (any && (count == 0 || v->extent[i].reg != NO_REG || v->stride[i].reg != NO_REG ||
                    v->stride[i].imm != stride * count))
            return i + 1;
        stride = any ? stride : v->stride[i].imm;
        count *= v->extent[i].reg == NO_REG ? v->extent[i].imm : 0;
        any = true;
    }
    return 0;
}

bool lower_rows_of(struct lower *l, const struct pto_op *op, const struct slot *v,
                   struct layout *out)
{
    int dense = dense_dimension(v);
    int64_t count = 1, stride = 0, step;
    if (dense < 0)
        return lower_error(l, op->span, "the innermost dimension of a transfer must be dense");
    *out = (struct layout){.columns = dense != v->ndims - 1, .leading = leading_dims(v, dense)};
    out->rows = (struct gm_rows){.addr = v->op,
                                 .rows = imm_operand(1),
                                 .cols = v->extent[dense],
                                 .elem = v->elem,
                                 .region = v->region,
                                 .use = v->use};
    for (int i = v->ndims - 1; i >= out->leading; i--) {
        if (i == dense || is_one(v->extent[i]))
            continue;
        if (!constant_stride(l, op, v->stride[i], &step))
            return false;
        stride = stride ? stride : step;
        count *= v->extent[i].imm;
        out->rows.rows = v->extent[i].reg == NO_REG ? imm_operand(count) : v->extent[i];
    }
    out->rows.gm_stride = stride * elem_size(v->elem);
    if (stride == 0 && out->rows.cols.reg == NO_REG)
        out->rows.gm_stride = out->rows.cols.imm * elem_size(v->elem);
    return true;
}

bool lower_even_rows(struct lower *l, const struct pto_op *op, const struct slot *v,
                     struct gm_rows *out)
{
    struct layout at;
    if (!lower_rows_of(l, op, v, &at))
        return false;
    *out = at.rows;
    return at.leading == 0 ||
           lower_error(
               l, op->span,
               "the rows of this part are not evenly spaced; a macro copies two dimensions");
}

static bool fits(struct lower *l, const struct pto_op *op, int tile, const struct gm_rows *r,
                 int64_t pieces)
{
    const struct tile *t = &l->tiles.items[tile];
    bool known = r->rows.reg == NO_REG && r->cols.reg == NO_REG;
    if (known && r->rows.imm * pieces * r->cols.imm > (int64_t)t->rows * t->cols)
        return lower_error(l, op->span, "the part has %lld x %lld elements, its tile only %d x %d",
                           (long long)(r->rows.imm * pieces), (long long)r->cols.imm, t->rows,
                           t->cols);
    return true;
}

/* A tile whose rows are shorter than those of memory, or that holds columns, is one flat buffer. */
static void flatten(const struct lower *l, struct dma *d, const struct layout *at, int64_t pieces)
{
    const struct tile *t = &l->tiles.items[d->tile];
    const struct gm_rows *r = &at->rows;
    bool wide = r->cols.imm > t->cols || (r->rows.reg == NO_REG && r->rows.imm * pieces > t->rows);
    if (r->cols.reg == NO_REG && (at->columns || wide))
        d->tile_stride = r->cols.imm * elem_size(t->elem);
}

/* The tile's elements lie column by column, as the view's do; else what is a column there becomes one
 * of a tile of rows. */
static bool holds_columns(const struct pto_op *op)
{
    const struct pto_operand *o = pto_find_operand(op, "outs", 0);
    const struct pto_type *t = o && o->value ? o->value->type : NULL;
    return !t || t->kind != PTO_TILE ||
           (t->blayout && !strcmp(t->blayout, "col_major") &&
            (!t->slayout || !strcmp(t->slayout, "none_box")));
}

/* As many pieces as the leading dimensions of a view make; 1 where only the run knows. */
static int64_t pieces_of(const struct slot *v, int leading)
{
    int64_t n = 1;
    for (int i = 0; i < leading; i++) {
        if (v->extent[i].reg != NO_REG || v->extent[i].imm < 1 || v->extent[i].imm > MAX_MEMORY / n)
            return 1;
        n *= v->extent[i].imm;
    }
    return n;
}

bool lower_transfer(struct lower *l, const struct pto_op *op, enum insn_op insn,
                    const struct slot *v, const struct slot *t, bool adds)
{
    struct builder *b = &l->build;
    struct layout at;
    int counter[PTO_MAX_DIMS], leave[PTO_MAX_DIMS];
    if (!lower_rows_of(l, op, v, &at))
        return false;
    int64_t pieces = pieces_of(v, at.leading);
    if (!fits(l, op, t->tile, &at.rows, pieces))
        return false;
    struct operand piece = imm_operand(0), offset = imm_operand(0);
    for (int i = 0; i < at.leading; i++) {
        leave[i] = build_begin_count(b, &counter[i], v->extent[i]);
        struct operand n = reg_operand(counter[i]);
        piece = build_alu(b, ALU_ADD, build_alu(b, ALU_MUL, piece, v->extent[i]), n);
        offset = build_alu(b, ALU_ADD, build_alu(b, ALU_MUL, n, v->stride[i]), offset);
    }
    at.rows.addr = moved(l, at.rows.addr, offset, v->elem);
    struct operand before = build_alu(b, ALU_MUL, piece, at.rows.rows);
    const struct tile *held = &l->tiles.items[t->placed ? t->whole : t->tile];
    struct dma flat = {.tile = t->placed ? t->whole : t->tile,
                       .tile_stride = (int64_t)tile_pitch(held) * elem_size(held->elem)};
    bool turned = insn == I_MTE2 && at.columns && !at.leading && !holds_columns(op);
    if (!turned)
        flatten(l, &flat, &at, pieces);
    struct operand place = build_scaled(b, before, flat.tile_stride);
    if (t->placed)
        place = build_alu(b, ALU_ADD, place, t->at);
    struct dma *d = build_dma(b, insn, flat.tile, &at.rows);
    d->tile_stride = flat.tile_stride;
    d->turned = turned;
    d->atomic_add = adds;
    d->placed = place.reg != NO_REG;
    d->value = place;
    d->tile_offset = d->placed ? 0 : place.imm;
    for (int i = at.leading - 1; i >= 0; i--)
        build_end_count(b, counter[i], leave[i], 1);
    return true;
}

bool lower_tload(struct lower *l, const struct pto_op *op)
{
    const struct slot *v = lower_slot(l, op, "ins", 0, SLOT_VIEW);
    const struct slot *t = v ? lower_slot(l, op, "outs", 0, SLOT_TILE) : NULL;
    return t && lower_transfer(l, op, I_MTE2, v, t, false);
}

bool lower_adds(const struct pto_op *op)
{
    const struct pto_attr *a = pto_find_attr(op, "atomicType");
    return a && a->word && !strcmp(a->word, "atomic_add");
}

bool lower_tstore(struct lower *l, const struct pto_op *op)
{
    const struct slot *t = lower_slot(l, op, "ins", 0, SLOT_TILE);
    const struct slot *v = t ? lower_slot(l, op, "outs", 0, SLOT_VIEW) : NULL;
    bool fix = t && l->accumulators.items[t->tile];
    return v && lower_transfer(l, op, fix ? I_FIX : I_MTE3, v, t, lower_adds(op));
}

/* ---- scalar accesses ---- */

static bool element_address(struct lower *l, const struct pto_op *op, const struct slot *p,
                            struct operand *out)
{
    const struct pto_operand *index = pto_find_operand(op, "index", 0);
    struct operand n = imm_operand(0);
    if (index && !lower_number(l, index, &n))
        return false;
    *out = moved(l, p->op, n, p->elem);
    return true;
}

bool lower_load_scalar(struct lower *l, const struct pto_op *op)
{
    const struct slot *p = lower_slot(l, op, "", 0, SLOT_POINTER);
    struct operand addr;
    if (!p || !element_address(l, op, p, &addr))
        return false;
    struct insn i = insn_access(build_like(&l->build), I_LD, addr, p->elem, p->region);
    i.rd = build_reg(&l->build, op->results.len ? op->results.items[0]->name + 1 : NULL);
    build_emit(&l->build, i);
    build_accesses(&l->build, p->use.root, p->use.peer);
    return lower_set_number(l, op, reg_operand(i.rd));
}

bool lower_store_scalar(struct lower *l, const struct pto_op *op)
{
    const struct pto_operand *v = pto_find_operand(op, "", 0);
    const struct slot *p = lower_slot(l, op, "", 1, SLOT_POINTER);
    struct operand addr, value;
    if (!p || !lower_number(l, v, &value) || !element_address(l, op, p, &addr))
        return false;
    struct insn at = insn_access(build_like(&l->build), I_ST, addr, p->elem, p->region);
    build_emit(&l->build, insn_with(at, value));
    build_accesses(&l->build, p->use.root, p->use.peer);
    return true;
}

/* ---- markers ---- */

static struct operand last_byte(struct lower *l, const struct slot *v)
{
    struct operand sum = imm_operand(elem_size(v->elem));
    for (int i = 0; i < v->ndims; i++) {
        struct operand n = build_alu(&l->build, ALU_SUB, v->extent[i], imm_operand(1));
        n = build_alu(&l->build, ALU_MUL, n, v->stride[i]);
        sum = build_alu(&l->build, ALU_ADD, build_scaled(&l->build, n, elem_size(v->elem)), sum);
    }
    return sum;
}

/* for (p = base aligned down; p < end; p += line) dcci [p] */
static void every_line(struct lower *l, const struct slot *v)
{
    struct builder *b = &l->build;
    struct operand base = build_alu(b, ALU_ADD, reg_operand(v->op.reg), imm_operand(v->op.imm));
    struct operand end = build_alu(b, ALU_ADD, base, last_byte(l, v));
    int p = build_reg(b, NULL);
    build_move(b, p, build_alu(b, ALU_AND, base, imm_operand(-CACHE_LINE)));
    int top = build_here(b);
    build_emit(b, insn_access(build_like(b), I_DCCI, reg_operand(p), ELEM_I8, -1));
    build_step(b, p, CACHE_LINE);
    build_branch_to(b, I_BNZ, build_alu(b, ALU_LT, reg_operand(p), end).reg, top);
}

bool lower_cacheinvalid(struct lower *l, const struct pto_op *op)
{
    struct builder *b = &l->build;
    if (!op->operands.len) {
        build_site_begin(b, "cacheinvalid all", -1);
        build_simple(b, I_DCCI_ALL);
        build_site_end(b);
        return true;
    }
    const struct slot *s =
        op->operands.items[0].value ? map_get(&l->slots, op->operands.items[0].value) : NULL;
    if (!s || (s->kind != SLOT_VIEW && s->kind != SLOT_POINTER))
        return lower_error(l, op->span, "expected a pointer or a view of global memory");
    int how = l->toolchain->region_cacheinvalid;
    bool codegen = l->origin == ORIGIN_CODEGEN;
    if (how == REGION_NOTHING && !codegen)
        return true;
    build_site_begin(b, codegen ? "peer cacheinvalid" : "region cacheinvalid", -1);
    if (how == REGION_EVERY_LINE && !codegen && s->kind == SLOT_VIEW)
        every_line(l, s);
    else
        build_emit(b, insn_access(build_like(b), I_DCCI, s->op, ELEM_I8, -1));
    build_site_end(b);
    return true;
}

/* In a vector kernel one barrier of all pipes, elsewhere those of memory, and a dsb. */
bool lower_fence(struct lower *l, const struct pto_op *op)
{
    (void)op;
    enum fence_form form = (enum fence_form)l->toolchain->fence;
    struct macro_step steps[MACRO_STEPS];
    if (form == FENCE_ALL && !l->vector)
        form = FENCE_3;
    build_steps(&l->build, steps, macro_fence(build_like(&l->build), form, steps), true);
    return true;
}

bool lower_pipe(struct lower *l, const struct pto_attr *a, struct span at, enum pipe *out)
{
    static const struct {
        const char *name;
        enum pipe pipe;
    } pipes[] = {
        {"PIPE_ALL", PIPE_ALL},
        {"PIPE_V", PIPE_V},
        {"PIPE_MTE1", PIPE_MTE1},
        {"PIPE_MTE2", PIPE_MTE2},
        {"PIPE_M", PIPE_M},
        {"PIPE_MTE3", PIPE_MTE3},
        {"PIPE_FIX", PIPE_FIX},
        {"PIPE_S", PIPE_S},
        /* of record_event and wait_event: the unit of an operation */
        {"TLOAD", PIPE_MTE2},
        {"TSTORE_VEC", PIPE_MTE3},
        {"TSTORE_ACC", PIPE_FIX},
        {"TMOV_M2L", PIPE_MTE1},
        {"TMOV_M2B", PIPE_MTE1},
        {"TMOV_M2S", PIPE_FIX},
        {"TMOV_M2V", PIPE_V},
        {"TMOV_V2M", PIPE_FIX},
        {"TMATMUL", PIPE_M},
        {"TVEC", PIPE_V},
        {"TVECWAIT_EVENT", PIPE_V},
    };
    for (size_t i = 0; a && a->word && i < sizeof pipes / sizeof *pipes; i++)
        if (!strcmp(pipes[i].name, a->word)) {
            *out = pipes[i].pipe;
            return true;
        }
    return lower_error(l, at, "expected a pipe, as in <PIPE_MTE2>");
}

bool lower_barrier(struct lower *l, const struct pto_op *op)
{
    enum pipe pipe;
    if (!lower_pipe(l, op->attrs.len ? &op->attrs.items[0] : NULL, op->span, &pipe))
        return false;
    build_site_begin(&l->build, lower_barrier_name(l), -1);
    build_barrier(&l->build, pipe);
    build_site_end(&l->build);
    return true;
}

/* EVENT_ID3, or a number that is known. */
static bool event_of(struct lower *l, const struct pto_op *op, int *out)
{
    const struct pto_attr *e = op->attrs.len > 2 ? &op->attrs.items[2] : NULL;
    int64_t id = -1;
    char *end;
    if (!e && op->operands.len) {
        if (!lower_constant(l, &op->operands.items[0], "the number of an event", &id))
            return false;
    } else if (e && e->word && !strncmp(e->word, "EVENT_ID", 8)) {
        id = strtol(e->word + 8, &end, 10);
        id = *end || end == e->word + 8 ? -1 : id;
    }
    *out = (int)id;
    if (id < 0)
        return lower_error(l, op->span, "expected an event, as in <EVENT_ID0>");
    return id < MAX_FLAG_IDS ||
           lower_error(l, op->span, "an event stands between two pipes and has a number below %d",
                       MAX_FLAG_IDS);
}

bool lower_flag(struct lower *l, const struct pto_op *op)
{
    enum pipe from, to;
    int id;
    if (op->attrs.len < 2)
        return lower_error(l, op->span, "expected two pipes and an event");
    if (!lower_pipe(l, &op->attrs.items[0], op->span, &from) ||
        !lower_pipe(l, &op->attrs.items[1], op->span, &to) || !event_of(l, op, &id))
        return false;
    if (from == PIPE_ALL || to == PIPE_ALL || from == to)
        return lower_error(l, op->span,
                           "an event stands between two pipes and has a number below %d",
                           MAX_FLAG_IDS);
    enum insn_op what = (enum insn_op)lower_detail(op);
    build_site_begin(&l->build, what == I_SET_FLAG ? "set_flag" : "wait_flag", -1);
    build_emit(&l->build, insn_flag(build_like(&l->build), what, from, to, id));
    build_site_end(&l->build);
    return true;
}
