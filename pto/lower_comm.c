/* SPDX-License-Identifier: MIT */
/* Notify and wait, put and get, collectives (pto-facts 3.1). */
#include <string.h>

#include "pto/lower.h"

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
    static const struct {
        const char *name;
        enum cmp cmp;
    } ways[] = {{"eq", CMP_EQ}, {"ne", CMP_NE}, {"gt", CMP_GE},
                {"ge", CMP_GE}, {"lt", CMP_LT}, {"le", CMP_LE}};
    const char *how = enum_word(op, "cmp", "ge");
    size_t k = 0;
    while (k < sizeof ways / sizeof *ways && strcmp(ways[k].name, how))
        k++;
    if (k == sizeof ways / sizeof *ways)
        return lower_error(l, op->span, "'%s' is no comparison", how);
    if (!strcmp(how, "gt"))
        value = build_alu(&l->build, ALU_ADD, value, imm_operand(1));
    l->what = "TWAIT";
    build_emit(&l->build, macro_wait(build_like(&l->build), s->op, s->region, ways[k].cmp, value));
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

/* The one or two tiles of a group, that hold elements of that type. */
static bool stages_of(struct lower *l, const struct pto_op *op, const char *group, enum elem e,
                      struct macro_copy *c)
{
    c->nstages = pto_count_operands(op, group);
    if (c->nstages < 1 || c->nstages > 2)
        return lower_error(l, op->span, "expected one or two tiles in %s(...)", group);
    for (int k = 0; k < c->nstages; k++) {
        const struct slot *t = lower_slot(l, op, group, k, SLOT_TILE);
        if (!t)
            return false;
        c->stage[k] = t->tile;
        if (l->tiles.items[t->tile].elem != e)
            return lower_error(l, op->span, "the stage holds %s, the source %s",
                               elem_name(l->tiles.items[t->tile].elem), elem_name(e));
    }
    return true;
}

bool lower_copy_macro(struct lower *l, const struct pto_op *op)
{
    const struct slot *dst = lower_slot(l, op, "", 0, SLOT_VIEW);
    const struct slot *src = dst ? lower_slot(l, op, "", 1, SLOT_VIEW) : NULL;
    struct macro_copy c = {.atomic = lower_adds(op)};
    if (!src || !lower_even_rows(l, op, dst, &c.dst) || !lower_even_rows(l, op, src, &c.src) ||
        !stages_of(l, op, "buf", src->elem, &c))
        return false;
    build_copy(&l->build, &c);
    return true;
}

/* ---- collectives ---- */

static bool member(struct lower *l, const struct pto_op *op, int i, struct gm_rows *out)
{
    const struct slot *s = lower_slot(l, op, "group", i, SLOT_VIEW);
    return s && lower_even_rows(l, op, s, out);
}

/* The rows of one member in the root's own memory: those of all lie one behind the other. */
static struct gm_rows share(struct lower *l, const struct gm_rows *whole, const struct gm_rows *one,
                            int i)
{
    struct gm_rows s = *whole;
    s.addr = build_plus(
        &l->build, s.addr,
        build_scaled(&l->build, build_scaled(&l->build, one->rows, i), whole->gm_stride));
    s.rows = one->rows;
    s.cols = one->cols;
    return s;
}

/* What the root does, member by member, with copies like those of put and get (pto-facts 3.1): its
 * source to all, its source shared out, or all gathered. */
bool lower_collective(struct lower *l, const struct pto_op *op)
{
    enum { BROADCAST, SCATTER, GATHER } what = lower_detail(op);
    const struct slot *own = lower_slot(l, op, "", 0, SLOT_VIEW);
    struct macro_copy c = {0};
    struct gm_rows whole, one;
    int n = pto_count_operands(op, "group");
    if (!own || !lower_even_rows(l, op, own, &whole) || !stages_of(l, op, "recv", own->elem, &c))
        return false;
    if (!n)
        return lower_error(l, op->span, "expected the parts of the ranks in group(...)");
    for (int i = 0; i < n; i++) {
        if (!member(l, op, i, &one))
            return false;
        struct gm_rows mine = what == BROADCAST ? whole : share(l, &whole, &one, i);
        c.src = what == GATHER ? one : mine;
        c.dst = what == GATHER ? mine : one;
        build_copy(&l->build, &c);
    }
    return true;
}

/* A pair of flags inside of a macro, as it is called. */
static void flag_pair(struct lower *l, const char *name, enum pipe from, enum pipe to, int id)
{
    struct builder *b = &l->build;
    enum origin_kind outer = l->origin;
    l->origin = ORIGIN_MACRO;
    build_site_begin(b, name, -1);
    build_emit(b, insn_flag(build_like(b), I_SET_FLAG, from, to, id));
    build_emit(b, insn_flag(build_like(b), I_WAIT_FLAG, from, to, id));
    build_site_end(b);
    l->origin = outer;
}

/* Between memory and a tile that is one flat buffer. */
static void flat_transfer(struct lower *l, enum insn_op op, int tile, const struct gm_rows *r)
{
    struct dma *d = build_dma(&l->build, op, tile, r);
    d->macro = true;
    if (r->cols.reg == NO_REG)
        d->tile_stride = r->cols.imm * elem_size(d->elem);
}

static void combine(struct lower *l, const struct pto_op *op, enum tile_op_kind kind, int acc,
                    int recv)
{
    struct tile_op t = {.kind = kind,
                        .name = op->name,
                        .pipe = PIPE_V,
                        .dst = acc,
                        .src = {acc, recv},
                        .nsrc = 2,
                        .scalar = imm_operand(0)};
    vec_push(l->arena, &l->tile_ops, t);
    struct insn i = build_insn(&l->build, I_TILE_OP);
    i.aux = (int32_t)l->tile_ops.len - 1;
    build_emit(&l->build, i);
}

static bool reduction_of(struct lower *l, const struct pto_op *op, enum tile_op_kind *out)
{
    static const struct {
        const char *name;
        enum tile_op_kind kind;
    } ways[] = {{"sum", TILE_ADD}, {"max", TILE_MAX}, {"min", TILE_MIN}};
    const char *how = enum_word(op, "reduceOp", "sum");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(ways[i].name, how)) {
            *out = ways[i].kind;
            return true;
        }
    return lower_error(l, op->span, "reduceOp is 'sum', 'max' or 'min', not '%s'", how);
}

/* A part that its tile holds as a whole. */
static bool holds(struct lower *l, const struct pto_op *op, int tile, const struct gm_rows *r)
{
    const struct tile *t = &l->tiles.items[tile];
    bool known = r->rows.reg == NO_REG && r->cols.reg == NO_REG;
    return (known && r->rows.imm * r->cols.imm <= (int64_t)t->rows * t->cols) ||
           lower_error(l, op->span,
                       "a part that is reduced must be known before the run and fit the tile '%s'",
                       t->name);
}

/* The root's part, with those of the others added one by one, goes to the destination. */
static void reduce(struct lower *l, const struct pto_op *op, enum tile_op_kind kind, int acc,
                   const struct macro_copy *c, int root, const struct gm_rows *parts, int n)
{
    int first = build_here(&l->build);
    flat_transfer(l, I_MTE2, acc, &parts[root]);
    for (int i = 0; i < n; i++) {
        if (i == root)
            continue;
        int recv = c->stage[i % c->nstages];
        flat_transfer(l, I_MTE2, recv, &parts[i]);
        flag_pair(l, "flag pair MTE2 to V", PIPE_MTE2, PIPE_V, i % c->nstages);
        combine(l, op, kind, acc, recv);
        flag_pair(l, "flag pair V to MTE2", PIPE_V, PIPE_MTE2, i % c->nstages);
    }
    flag_pair(l, "flag pair MTE2 to MTE3", PIPE_MTE2, PIPE_MTE3, 0);
    flag_pair(l, "flag pair V to MTE3", PIPE_V, PIPE_MTE3, 0);
    flat_transfer(l, I_MTE3, acc, &c->dst);
    flag_pair(l, "flag pair MTE3 to MTE2", PIPE_MTE3, PIPE_MTE2, 0);
    vec_push(l->arena, &l->macros,
             ((struct macro_code){.first = first, .end = build_here(&l->build)}));
}

bool lower_reduce(struct lower *l, const struct pto_op *op)
{
    const struct slot *dst = lower_slot(l, op, "", 0, SLOT_VIEW),
                      *acc = dst ? lower_slot(l, op, "", 1, SLOT_TILE) : NULL;
    const struct pto_attr *root = pto_find_attr(op, "root");
    int n = pto_count_operands(op, "group");
    struct gm_rows *parts = arena_array(l->arena, struct gm_rows, (size_t)n + 1);
    struct macro_copy c = {0};
    enum tile_op_kind kind = TILE_ADD;
    if (!acc || !lower_even_rows(l, op, dst, &c.dst) || !reduction_of(l, op, &kind) ||
        !stages_of(l, op, "recv", dst->elem, &c))
        return false;
    if (!root || root->number < 0 || root->number >= n)
        return lower_error(l, op->span, "expected root = a member of group(...)");
    for (int i = 0; i < n; i++)
        if (!member(l, op, i, &parts[i]) || !holds(l, op, acc->tile, &parts[i]) ||
            !holds(l, op, c.stage[i % c.nstages], &parts[i]))
            return false;
    reduce(l, op, kind, acc->tile, &c, (int)root->number, parts, n);
    return true;
}
