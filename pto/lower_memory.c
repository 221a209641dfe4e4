/* SPDX-License-Identifier: MIT */
/* Views, transfers, scalar accesses, notify and wait, put and get, markers (pto-facts 3.1, 3.3). */
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

/* Rows of a view: all its dimensions but one, evenly spaced; elements of the other one lie one behind
 * the other. */
struct layout {
    struct gm_rows rows;
    bool columns; /* what is dense in memory is the first dimension */
};

static int dense_dimension(const struct slot *v)
{
    int last = v->ndims - 1;
    if (is_one(v->stride[last]) || is_one(v->extent[last]) || v->ndims == 1)
        return last;
    return v->ndims > 1 && is_one(v->stride[last - 1]) ? last - 1 : -1;
}

static bool rows_of(struct lower *l, const struct pto_op *op, const struct slot *v,
                    struct layout *out)
{
    int dense = dense_dimension(v), outer = -1;
    int64_t count = 1, stride = 0, step;
    if (dense < 0)
        return lower_error(l, op->span, "the innermost dimension of a transfer must be dense");
    out->columns = dense != v->ndims - 1;
    out->rows = (struct gm_rows){.addr = v->op,
                                 .rows = imm_operand(1),
                                 .cols = v->extent[dense],
                                 .elem = v->elem,
                                 .region = v->region,
                                 .use = v->use};
    for (int i = v->ndims - 1; i >= 0; i--) {
        if (i == dense || is_one(v->extent[i]))
            continue;
        if (!constant_stride(l, op, v->stride[i], &step))
            return false;
        bool even = outer < 0 || (out->rows.rows.reg == NO_REG && v->extent[i].reg == NO_REG &&
                                  step == stride * count);
        if (!even)
            return lower_error(
                l, op->span,
                "the rows of this part are not evenly spaced; a transfer has two dimensions");
        stride = outer < 0 ? step : stride;
        count *= v->extent[i].reg == NO_REG ? v->extent[i].imm : 0;
        out->rows.rows = outer < 0 ? v->extent[i] : imm_operand(count);
        outer = i;
    }
    out->rows.gm_stride = stride * elem_size(v->elem);
    if (stride == 0 && out->rows.cols.reg == NO_REG)
        out->rows.gm_stride = out->rows.cols.imm * elem_size(v->elem);
    return true;
}

static bool fits(struct lower *l, const struct pto_op *op, int tile, const struct gm_rows *r)
{
    const struct tile *t = &l->tiles.items[tile];
    bool known = r->rows.reg == NO_REG && r->cols.reg == NO_REG;
    if (known && r->rows.imm * r->cols.imm > (int64_t)t->rows * t->cols)
        return lower_error(l, op->span, "the part has %lld x %lld elements, its tile only %d x %d",
                           (long long)r->rows.imm, (long long)r->cols.imm, t->rows, t->cols);
    return true;
}

/* A tile whose rows are shorter than those of memory, or that holds columns, is one flat buffer. */
static void flatten(const struct lower *l, struct dma *d, const struct layout *at)
{
    const struct tile *t = &l->tiles.items[d->tile];
    const struct gm_rows *r = &at->rows;
    bool wide = r->cols.imm > t->cols || (r->rows.reg == NO_REG && r->rows.imm > t->rows);
    if (r->cols.reg == NO_REG && (at->columns || wide))
        d->tile_stride = r->cols.imm * elem_size(t->elem);
}

bool lower_tload(struct lower *l, const struct pto_op *op)
{
    const struct slot *v = lower_slot(l, op, "ins", 0, SLOT_VIEW);
    const struct slot *t = v ? lower_slot(l, op, "outs", 0, SLOT_TILE) : NULL;
    struct layout at;
    if (!t || !rows_of(l, op, v, &at) || !fits(l, op, t->tile, &at.rows))
        return false;
    flatten(l, build_dma(&l->build, I_MTE2, t->tile, &at.rows), &at);
    return true;
}

static bool adds(const struct pto_op *op)
{
    const struct pto_attr *a = pto_find_attr(op, "atomicType");
    return a && a->word && !strcmp(a->word, "atomic_add");
}

bool lower_tstore(struct lower *l, const struct pto_op *op)
{
    const struct slot *t = lower_slot(l, op, "ins", 0, SLOT_TILE);
    const struct slot *v = t ? lower_slot(l, op, "outs", 0, SLOT_VIEW) : NULL;
    struct layout at;
    if (!v || !rows_of(l, op, v, &at) || !fits(l, op, t->tile, &at.rows))
        return false;
    bool fix = l->accumulators.items[t->tile];
    struct dma *d = build_dma(&l->build, fix ? I_FIX : I_MTE3, t->tile, &at.rows);
    flatten(l, d, &at);
    d->atomic_add = adds(op);
    return true;
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

/* ---- signals ---- */

static const struct slot *signal_of(struct lower *l, const struct pto_op *op, struct operand *value)
{
    const struct slot *s = lower_slot(l, op, "", 0, SLOT_VIEW);
    const struct pto_operand *v = pto_find_operand(op, "", 1);
    if (!s || !v || !lower_number(l, v, value))
        return NULL;
    if (s->elem == ELEM_I32)
        return s;
    lower_error(l, op->span, "a signal is i32");
    return NULL;
}

static const char *enum_word(const struct pto_op *op, const char *name, const char *otherwise)
{
    const struct pto_attr *a = pto_find_attr(op, name);
    return a && a->word ? a->word : otherwise;
}

bool lower_notify(struct lower *l, const struct pto_op *op)
{
    struct operand value;
    const struct slot *s = signal_of(l, op, &value);
    if (!s)
        return false;
    const char *how = enum_word(op, "notifyOp", "atomic_add");
    bool set = !strcmp(how, "set");
    if (!set && strcmp(how, "atomic_add"))
        return lower_error(l, op->span, "notifyOp is 'set' or 'atomic_add', not '%s'", how);
    l->what = "TNOTIFY";
    struct insn store = insn_with(
        insn_access(build_like(&l->build), set ? I_ST : I_ST_ATOMIC, s->op, s->elem, s->region),
        value);
    struct macro_step steps[MACRO_STEPS];
    l->origin = ORIGIN_MACRO;
    build_steps(&l->build, steps, macro_notify(build_like(&l->build), store, steps), false);
    l->origin = ORIGIN_USER;
    return true;
}

bool lower_wait(struct lower *l, const struct pto_op *op)
{
    struct operand value;
    const struct slot *s = signal_of(l, op, &value);
    if (!s)
        return false;
    const char *how = enum_word(op, "cmp", "ge");
    bool gt = !strcmp(how, "gt"), eq = !strcmp(how, "eq");
    if (!gt && !eq && strcmp(how, "ge"))
        return lower_error(l, op->span, "a wait for '%s' is not modelled; expected eq, ge or gt",
                           how);
    if (gt)
        value = build_alu(&l->build, ALU_ADD, value, imm_operand(1));
    l->what = "TWAIT";
    build_emit(&l->build,
               macro_wait(build_like(&l->build), s->op, s->region, eq ? CMP_EQ : CMP_GE, value));
    return true;
}

/* One look at the counter, which only orders. */
bool lower_test(struct lower *l, const struct pto_op *op)
{
    static const struct {
        const char *name;
        enum alu alu;
    } ways[] = {{"eq", ALU_EQ}, {"ne", ALU_NE}, {"gt", ALU_GT},
                {"ge", ALU_GE}, {"lt", ALU_LT}, {"le", ALU_LE}};
    struct operand value;
    const struct slot *s = signal_of(l, op, &value);
    const char *how = enum_word(op, "cmp", "ge");
    size_t k = 0;
    if (!s)
        return false;
    while (k < sizeof ways / sizeof *ways && strcmp(ways[k].name, how))
        k++;
    if (k == sizeof ways / sizeof *ways)
        return lower_error(l, op->span, "'%s' is no comparison", how);
    l->what = "TTEST";
    struct insn i = insn_access(build_like(&l->build), I_LD_DEV, s->op, s->elem, s->region);
    i.rd = build_reg(&l->build, NULL);
    i.flags |= INSN_SYNC;
    build_emit(&l->build, i);
    return lower_set_number(l, op, build_alu(&l->build, ways[k].alu, reg_operand(i.rd), value));
}

/* ---- put and get ---- */

bool lower_copy_macro(struct lower *l, const struct pto_op *op)
{
    const struct slot *dst = lower_slot(l, op, "", 0, SLOT_VIEW);
    const struct slot *src = dst ? lower_slot(l, op, "", 1, SLOT_VIEW) : NULL;
    struct layout to, from;
    struct macro_copy c = {.nstages = pto_count_operands(op, "buf"), .atomic = adds(op)};
    if (!src || !rows_of(l, op, dst, &to) || !rows_of(l, op, src, &from))
        return false;
    if (c.nstages < 1 || c.nstages > 2)
        return lower_error(l, op->span, "expected one or two tiles in buf(...)");
    for (int k = 0; k < c.nstages; k++) {
        const struct slot *t = lower_slot(l, op, "buf", k, SLOT_TILE);
        if (!t)
            return false;
        c.stage[k] = t->tile;
        if (l->tiles.items[t->tile].elem != src->elem)
            return lower_error(l, op->span, "the stage holds %s, the source %s",
                               elem_name(l->tiles.items[t->tile].elem), elem_name(src->elem));
    }
    c.src = from.rows;
    c.dst = to.rows;
    build_copy(&l->build, &c);
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

static bool pipe_of(struct lower *l, const struct pto_attr *a, struct span at, enum pipe *out)
{
    static const struct {
        const char *name;
        enum pipe pipe;
    } pipes[] = {
        {"PIPE_ALL", PIPE_ALL},   {"PIPE_V", PIPE_V}, {"PIPE_MTE1", PIPE_MTE1},
        {"PIPE_MTE2", PIPE_MTE2}, {"PIPE_M", PIPE_M}, {"PIPE_MTE3", PIPE_MTE3},
        {"PIPE_FIX", PIPE_FIX},   {"PIPE_S", PIPE_S},
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
    if (!pipe_of(l, op->attrs.len ? &op->attrs.items[0] : NULL, op->span, &pipe))
        return false;
    build_site_begin(&l->build, lower_barrier_name(l), -1);
    build_barrier(&l->build, pipe);
    build_site_end(&l->build);
    return true;
}

bool lower_flag(struct lower *l, const struct pto_op *op)
{
    enum pipe from, to;
    if (op->attrs.len < 3)
        return lower_error(l, op->span, "expected two pipes and an event");
    if (!pipe_of(l, &op->attrs.items[0], op->span, &from) ||
        !pipe_of(l, &op->attrs.items[1], op->span, &to))
        return false;
    const struct pto_attr *e = &op->attrs.items[2];
    int id = e->word && !strncmp(e->word, "EVENT_ID", 8) ? (int)e->word[8] - '0' : -1;
    if (id < 0 || id > 9 || (e->word[9] && e->word[8] != '1'))
        return lower_error(l, op->span, "expected an event, as in <EVENT_ID0>");
    id = e->word[9] ? 10 + e->word[9] - '0' : id;
    if (id >= MAX_FLAG_IDS || from == PIPE_ALL || to == PIPE_ALL || from == to)
        return lower_error(l, op->span,
                           "an event stands between two pipes and has a number below %d",
                           MAX_FLAG_IDS);
    enum insn_op what = (enum insn_op)lower_detail(op);
    build_site_begin(&l->build, what == I_SET_FLAG ? "set_flag" : "wait_flag", -1);
    build_emit(&l->build, insn_flag(build_like(&l->build), what, from, to, id));
    build_site_end(&l->build);
    return true;
}
