/* SPDX-License-Identifier: MIT */
#include "tests/sim/build.h"

#include <string.h>

/* ---- variables ---- */

static struct loc new_var(struct builder *b, const char *name, int words, bool uninit)
{
    struct region r = {.name = name,
                       .kind = REGION_WINDOW,
                       .offset = b->gm_bytes,
                       .size = (uint64_t)words * 4,
                       .elem = ELEM_I32,
                       .uninitialised = uninit};
    vec_push(b->arena, &b->regions, r);
    b->gm_bytes += (r.size + TEST_LINE - 1) / TEST_LINE * TEST_LINE;
    return (struct loc){r.offset, OWN, (int)b->regions.len - 1};
}

struct loc var(struct builder *b, const char *name, int words)
{
    return new_var(b, name, words, false);
}

struct loc uninitialised(struct builder *b, const char *name, int words)
{
    return new_var(b, name, words, true);
}

struct loc on(struct loc x, int rank)
{
    x.rank = rank;
    return x;
}

struct loc word(struct loc x, int index)
{
    x.offset += (uint64_t)index * 4;
    return x;
}

void initially(struct builder *b, struct loc x, int32_t value)
{
    struct initial i = {x, value};
    vec_push(b->arena, &b->inits, i);
}

/* ---- instructions ---- */

void core(struct builder *b, int rank)
{
    b->parts[b->nparts++].rank = rank;
}

void lane(struct builder *b, int rank, int cluster, enum lane l)
{
    core(b, rank);
    b->parts[b->nparts - 1].lane = l;
    b->parts[b->nparts - 1].cluster = cluster;
}

static struct part *part(struct builder *b)
{
    return &b->parts[b->nparts - 1];
}

int64_t address(const struct builder *b, struct loc x)
{
    return (int64_t)gm_addr(x.rank == OWN ? b->parts[b->nparts - 1].rank : x.rank, x.offset);
}

static struct insn *emit(struct builder *b, struct insn i)
{
    struct part *p = part(b);
    if (!i.what)
        i.what = insn_op_name((enum insn_op)i.op);
    if (i.op != I_LD && i.op != I_LD_DEV && i.op != I_LI && i.op != I_TILE_LD && i.op != I_ALU)
        i.rd = NO_REG;
    i.ra = i.rb = NO_REG;
    i.site = -1;
    i.span.line = (int)p->insns.len + 1;
    vec_push(b->arena, &p->insns, i);
    return &p->insns.items[p->insns.len - 1];
}

static const char *named(struct builder *b, enum insn_op op, struct loc x)
{
    const struct region *r = &b->regions.items[x.region];
    int index = (int)(x.offset - r->offset) / 4;
    const char *name = arena_printf(b->arena, "%s %s", insn_op_name(op), r->name);
    return index ? arena_printf(b->arena, "%s[%d]", name, index) : name;
}

static struct insn *memory(struct builder *b, enum insn_op op, struct loc x, int reg, int64_t value)
{
    return emit(b, (struct insn){.op = op,
                                 .elem = ELEM_I32,
                                 .rd = reg,
                                 .imm = address(b, x),
                                 .imm2 = value,
                                 .region = b->checked ? x.region : -1,
                                 .what = named(b, op, x)});
}

static struct insn *plain(struct builder *b, enum insn_op op)
{
    return emit(b, (struct insn){.op = op, .region = -1});
}

struct insn *nop(struct builder *b)
{
    return plain(b, I_NOP);
}

struct insn *li(struct builder *b, int reg, int64_t value)
{
    return emit(b, (struct insn){.op = I_LI, .rd = reg, .imm = value, .region = -1});
}

struct insn *jmp(struct builder *b, int target)
{
    return emit(b, (struct insn){.op = I_JMP, .imm = target, .region = -1});
}

struct insn *alu(struct builder *b, int rd, enum alu op, int ra, int64_t value)
{
    struct insn *i =
        emit(b, (struct insn){.op = I_ALU, .sub = op, .rd = rd, .imm = value, .region = -1});
    i->ra = ra;
    return i;
}

void through(struct insn *i, int reg)
{
    i->ra = reg;
    i->imm = 0;
}

struct insn *ld(struct builder *b, int reg, struct loc x)
{
    return memory(b, I_LD, x, reg, 0);
}

struct insn *st(struct builder *b, struct loc x, int64_t value)
{
    return memory(b, I_ST, x, NO_REG, value);
}

struct insn *st_atomic(struct builder *b, struct loc x, int64_t delta)
{
    return memory(b, I_ST_ATOMIC, x, NO_REG, delta);
}

struct insn *ld_dev(struct builder *b, int reg, struct loc x)
{
    return memory(b, I_LD_DEV, x, reg, 0);
}

struct insn *st_dev(struct builder *b, struct loc x, int64_t value)
{
    return memory(b, I_ST_DEV, x, NO_REG, value);
}

struct insn *dcci(struct builder *b, struct loc x)
{
    return memory(b, I_DCCI, x, NO_REG, 0);
}

struct insn *dcci_all(struct builder *b)
{
    return plain(b, I_DCCI_ALL);
}

struct insn *dsb(struct builder *b)
{
    return plain(b, I_DSB);
}

struct insn *barrier(struct builder *b, enum pipe p)
{
    return emit(b, (struct insn){.op = I_BARRIER, .pa = p, .region = -1});
}

static struct insn *flag(struct builder *b, enum insn_op op, enum pipe from, enum pipe to, int id)
{
    return emit(b, (struct insn){.op = op, .pa = from, .pb = to, .imm = id, .region = -1});
}

struct insn *set_flag(struct builder *b, enum pipe from, enum pipe to, int id)
{
    return flag(b, I_SET_FLAG, from, to, id);
}

struct insn *wait_flag(struct builder *b, enum pipe from, enum pipe to, int id)
{
    return flag(b, I_WAIT_FLAG, from, to, id);
}

struct insn *set_atomic(struct builder *b, bool add)
{
    return emit(b, (struct insn){.op = I_SET_ATOMIC, .imm = add, .region = -1});
}

struct insn *set_cross(struct builder *b, enum pipe p, enum cross_mode mode, int id)
{
    return emit(b, (struct insn){.op = I_SET_CROSS, .pa = p, .sub = mode, .imm = id, .region = -1});
}

struct insn *wait_cross(struct builder *b, int id)
{
    return emit(b, (struct insn){.op = I_WAIT_CROSS, .imm = id, .region = -1});
}

struct insn *poll_dev(struct builder *b, struct loc s, int64_t value)
{
    struct insn *i = memory(b, I_POLL_DEV, s, NO_REG, value);
    i->sub = CMP_GE;
    return i;
}

struct insn *wait_ge(struct builder *b, struct loc s, int64_t value)
{
    struct insn *i = memory(b, I_POLL, s, NO_REG, value);
    i->sub = CMP_GE;
    return i;
}

struct insn *wait_eq(struct builder *b, struct loc s, int64_t value)
{
    struct insn *i = memory(b, I_POLL, s, NO_REG, value);
    i->sub = CMP_EQ;
    return i;
}

struct insn *task(struct builder *b, const char *name)
{
    vec_push(b->arena, &b->tasks, name);
    return emit(b, (struct insn){.op = I_TASK, .imm = (int64_t)b->tasks.len - 1, .region = -1});
}

/* ---- tiles and pipes ---- */

int tile_of(struct builder *b, int rows, int cols, enum elem elem)
{
    struct part *p = part(b);
    struct tile t = {.name = arena_printf(b->arena, "t%zu", p->tiles.len),
                     .rows = rows,
                     .cols = cols,
                     .elem = elem,
                     .offset = p->tile_bytes};
    p->tile_bytes += ((int64_t)rows * cols * elem_size(elem) + 31) / 32 * 32;
    vec_push(b->arena, &p->tiles, t);
    return (int)p->tiles.len - 1;
}

int tile(struct builder *b, int words)
{
    return tile_of(b, 1, words, ELEM_I32);
}

struct insn *tile_ld(struct builder *b, int reg, int t, int index)
{
    return emit(b, (struct insn){.op = I_TILE_LD, .rd = reg, .aux = t, .imm = index, .region = -1});
}

struct insn *tile_st(struct builder *b, int t, int index, int64_t value)
{
    return emit(
        b, (struct insn){.op = I_TILE_ST, .aux = t, .imm = index, .imm2 = value, .region = -1});
}

static struct operand constant(int64_t value)
{
    return (struct operand){NO_REG, value};
}

static struct insn *transfer(struct builder *b, enum insn_op op, int t, struct loc x, bool add)
{
    struct part *p = part(b);
    const struct tile *shape = &p->tiles.items[t];
    int64_t row = (int64_t)shape->cols * elem_size(shape->elem);
    struct dma d = {.tile = t,
                    .address = constant(address(b, x)),
                    .rows = constant(shape->rows),
                    .cols = constant(shape->cols),
                    .gm_stride = row,
                    .tile_stride = row,
                    .elem = shape->elem,
                    .atomic_add = add};
    vec_push(b->arena, &p->dmas, d);
    return emit(b, (struct insn){.op = op,
                                 .aux = (int)p->dmas.len - 1,
                                 .region = b->checked ? x.region : -1,
                                 .what = named(b, op, x)});
}

struct insn *mte2(struct builder *b, int t, struct loc x)
{
    return transfer(b, I_MTE2, t, x, false);
}

struct insn *mte3(struct builder *b, struct loc x, int t)
{
    return transfer(b, I_MTE3, t, x, false);
}

struct insn *mte3_add(struct builder *b, struct loc x, int t)
{
    return transfer(b, I_MTE3, t, x, true);
}

struct insn *fix(struct builder *b, struct loc x, int t)
{
    return transfer(b, I_FIX, t, x, false);
}

struct dma *last_dma(struct builder *b)
{
    return &part(b)->dmas.items[part(b)->dmas.len - 1];
}

struct insn *tile_op(struct builder *b, enum tile_op_kind k, int dst, int src0, int src1)
{
    struct part *p = part(b);
    struct tile_op op = {.kind = k,
                         .name = tile_op_rows[k].name,
                         .pipe = PIPE_V,
                         .dst = dst,
                         .src = {src0, src1},
                         .nsrc = (src0 >= 0) + (src1 >= 0),
                         .scalar = {NO_REG, 0}};
    vec_push(b->arena, &p->ops, op);
    return emit(b, (struct insn){.op = I_TILE_OP, .aux = (int)p->ops.len - 1, .region = -1});
}

struct tile_op *last_tile_op(struct builder *b)
{
    return &part(b)->ops.items[part(b)->ops.len - 1];
}

void put(struct builder *b, struct loc x, int32_t value)
{
    int t = tile(b, 1);
    tile_st(b, t, 0, value);
    mte3(b, x, t);
}

/* ---- library macros ---- */

void post_add(struct builder *b, struct loc s, int64_t delta)
{
    st_atomic(b, s, delta)->flags |= INSN_NOTIFY;
    dcci(b, s);
}

void post_set(struct builder *b, struct loc s, int64_t value)
{
    st(b, s, value)->flags |= INSN_NOTIFY;
    dcci(b, s);
}

void notify_add(struct builder *b, struct loc s, int64_t delta)
{
    dcci(b, s);
    post_add(b, s, delta);
    dsb(b);
    barrier(b, PIPE_ALL);
}

void notify_set(struct builder *b, struct loc s, int64_t value)
{
    dcci(b, s);
    post_set(b, s, value);
    dsb(b);
    barrier(b, PIPE_ALL);
}

/* ---- assembly ---- */

static const struct code *assemble(struct builder *b, struct part *p)
{
    struct code *c = arena_new(b->arena, struct code);
    struct insn end = {.op = I_END, .rd = NO_REG, .ra = NO_REG, .rb = NO_REG, .site = -1};
    end.region = -1;
    end.what = "end";
    vec_push(b->arena, &p->insns, end);
    *c = (struct code){.insns = p->insns.items,
                       .count = (int)p->insns.len,
                       .nregs = TEST_REGS,
                       .dmas = p->dmas.items,
                       .ndmas = (int)p->dmas.len,
                       .tile_ops = p->ops.items,
                       .ntile_ops = (int)p->ops.len,
                       .tiles = p->tiles.items,
                       .ntiles = (int)p->tiles.len,
                       .tile_bytes = p->tile_bytes};
    return c;
}

static void fill_memory(struct builder *b, struct program *p)
{
    p->gm_init = arena_array(b->arena, uint8_t *, (size_t)p->nranks);
    for (int r = 0; r < p->nranks; r++) {
        p->gm_init[r] = arena_alloc(b->arena, p->gm_bytes);
        vec_foreach (struct initial, i, &b->inits) {
            if (i->at.rank == OWN || i->at.rank == r)
                memcpy(p->gm_init[r] + i->at.offset, &i->value, sizeof i->value);
        }
    }
}

const struct program *built(struct builder *b)
{
    struct program *p = arena_new(b->arena, struct program);
    *p = (struct program){.name = "test",
                          .nranks = b->nranks ? b->nranks : 2,
                          .ncores = b->nparts,
                          .regions = b->regions.items,
                          .nregions = (int)b->regions.len,
                          .gm_bytes = b->gm_bytes,
                          .grain = b->grain ? b->grain : 4,
                          .tasks = b->tasks.items,
                          .ntasks = (int)b->tasks.len,
                          .arena = b->arena};
    p->cores = arena_array(b->arena, struct core_desc, (size_t)b->nparts);
    for (int c = 0; c < b->nparts; c++) {
        int index = 0;
        for (int before = 0; before < c; before++)
            index += b->parts[before].rank == b->parts[c].rank;
        p->cores[c] = (struct core_desc){.rank = b->parts[c].rank,
                                         .index = index,
                                         .lane = b->parts[c].lane,
                                         .cluster = b->parts[c].cluster,
                                         .code = assemble(b, &b->parts[c])};
    }
    fill_memory(b, p);
    return p;
}
