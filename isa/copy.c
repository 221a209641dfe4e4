/* SPDX-License-Identifier: MIT */
/* Transfers, and TPUT and TGET: copies through a stage (hw-facts 1.3). */
#include "isa/builder.h"

struct dma *build_dma(struct builder *b, enum insn_op op, int tile, const struct gm_rows *r)
{
    const struct tile *x = &b->tiles.items[tile];
    struct dma d = {.tile = tile,
                    .rows = r->rows,
                    .cols = r->cols,
                    .elem = r->elem,
                    .converts = x->elem != r->elem,
                    .held = x->elem,
                    .gm_stride = r->gm_stride,
                    .tile_stride = (int64_t)tile_pitch(x) * elem_size(x->elem)};
    d.address = r->addr;
    if (r->addr.imm && r->addr.reg != NO_REG) {
        struct insn i = build_insn(b, I_ALU);
        i.sub = ALU_ADD;
        i.ra = r->addr.reg;
        i.imm = r->addr.imm;
        i.rd = build_reg(b, NULL);
        build_emit(b, i);
        d.address = reg_operand(i.rd);
    }
    vec_push(b->arena, &b->dmas, d);
    struct insn i = build_insn(b, op);
    i.aux = (int32_t)b->dmas.len - 1;
    i.region = r->region;
    build_emit(b, i);
    build_accesses(b, r->use.root, r->use.peer);
    return &b->dmas.items[b->dmas.len - 1];
}

/* Pieces of a transfer that are written out. */
enum { MAX_PIECES = 64 };

struct copy {
    struct macro_copy of;
    int nstages; /* of them in use */
    int used[2]; /* the site of the flag that says when a stage is free again, or -1 */
};

/* MTE3 has left stage k; the load of what comes next into it, or the end, waits for that. */
static void stage_flag(struct builder *b, struct copy *c, int k, enum insn_op op)
{
    b->origin = ORIGIN_MACRO;
    if (op == I_SET_FLAG)
        c->used[k] = build_site_begin(b, "flag pair MTE3 to MTE2", -1);
    b->site = c->used[k];
    build_emit(b, macro_free(build_insn(b, op), op, k));
    build_site_end(b);
    if (op == I_WAIT_FLAG)
        c->used[k] = -1;
    b->origin = ORIGIN_USER;
}

/* One piece through stage k: load, flag, store, flag. The last flag holds MTE2, not the scalar
 * unit. */
static void copy_piece(struct builder *b, struct copy *c, const struct gm_rows *src,
                       const struct gm_rows *dst, bool chunked, int k)
{
    if (c->used[k] >= 0)
        stage_flag(b, c, k, I_WAIT_FLAG);
    b->origin = ORIGIN_USER;
    struct dma *d = build_dma(b, I_MTE2, c->of.stage[k], src);
    d->macro = true;
    if (src->cols.reg == NO_REG) /* the stage is one flat buffer */
        d->tile_stride = src->cols.imm * elem_size(d->elem);
    int64_t stride = d->tile_stride;
    b->origin = ORIGIN_MACRO;
    struct macro_step loaded[MACRO_STEPS];
    build_steps(b, loaded, macro_loaded(build_like(b), loaded), false);
    if (chunked) {
        build_site_begin(b, "barrier all between chunks", -1);
        build_barrier(b, PIPE_ALL);
        build_site_end(b);
    }
    b->origin = ORIGIN_USER;
    d = build_dma(b, I_MTE3, c->of.stage[k], dst);
    d->macro = true;
    d->tile_stride = stride;
    d->atomic_add = c->of.atomic;
    stage_flag(b, c, k, I_SET_FLAG);
    if (c->nstages == 1 || !chunked)
        stage_flag(b, c, k, I_WAIT_FLAG);
}

static struct gm_rows sub_region(const struct gm_rows *r, int64_t row, int64_t col, int64_t rows,
                                 int64_t cols, int size)
{
    struct gm_rows s = *r;
    s.addr.imm += row * r->gm_stride + col * size;
    s.rows = imm_operand(rows);
    s.cols = imm_operand(cols);
    return s;
}

/* A part whose place and extents are known at run time. */
static struct gm_rows moved_region(struct builder *b, const struct gm_rows *r, struct operand row,
                                   struct operand col, struct operand rows, struct operand cols,
                                   int size)
{
    struct gm_rows s = *r;
    s.addr = build_plus(b, s.addr, build_scaled(b, row, r->gm_stride));
    s.addr = build_plus(b, s.addr, build_scaled(b, col, size));
    s.rows = rows;
    s.cols = cols;
    return s;
}

static struct operand rest(struct builder *b, struct operand extent, int at, int64_t most)
{
    return build_alu(b, ALU_MIN, build_alu(b, ALU_SUB, extent, reg_operand(at)), imm_operand(most));
}

/* Extents known at run time: in one piece if the stage holds it, else in chunks of the stage's rows
 * and columns. */
static void copy_at_run_time(struct builder *b, struct copy *c)
{
    const struct tile stage = b->tiles.items[c->of.stage[0]];
    int size = elem_size(c->of.src.elem), row, col;
    struct operand rows = reg_operand(build_in_reg(b, c->of.src.rows)),
                   cols = reg_operand(build_in_reg(b, c->of.src.cols)),
                   low = build_alu(b, ALU_LE, rows, imm_operand(stage.rows)),
                   narrow = build_alu(b, ALU_LE, cols, imm_operand(stage.cols));
    int large = build_branch(b, I_BZ, build_alu(b, ALU_LAND, low, narrow).reg);
    c->nstages = 1;
    copy_piece(b, c, &c->of.src, &c->of.dst, false, 0);
    int done = build_branch(b, I_JMP, NO_REG);
    build_patch_here(b, large);
    int last_row = build_begin_count(b, &row, rows), last_col = build_begin_count(b, &col, cols);
    struct operand h = rest(b, rows, row, stage.rows), w = rest(b, cols, col, stage.cols);
    struct gm_rows src =
                       moved_region(b, &c->of.src, reg_operand(row), reg_operand(col), h, w, size),
                   dst =
                       moved_region(b, &c->of.dst, reg_operand(row), reg_operand(col), h, w, size);
    copy_piece(b, c, &src, &dst, true, 0);
    build_end_count(b, col, last_col, stage.cols);
    build_end_count(b, row, last_row, stage.rows);
    build_patch_here(b, done);
}

/* A transfer larger than its stage goes in chunks of the stage's rows and columns, or of whole rows
 * if the stage is wider. Very many of them are a loop. */
static void copy_pieces(struct builder *b, struct copy *c)
{
    const struct tile *stage = &b->tiles.items[c->of.stage[0]];
    int64_t capacity = (int64_t)stage->rows * stage->cols, rows = c->of.src.rows.imm,
            cols = c->of.src.cols.imm;
    bool known = c->of.src.rows.reg == NO_REG && c->of.src.cols.reg == NO_REG;
    if (!known) {
        copy_at_run_time(b, c);
        return;
    }
    if (rows * cols <= capacity) {
        copy_piece(b, c, &c->of.src, &c->of.dst, false, 0);
        return;
    }
    bool narrow = stage->cols <= cols;
    int64_t wide = narrow ? stage->cols : cols, high = narrow ? stage->rows : capacity / wide;
    if (((rows + high - 1) / high) * ((cols + wide - 1) / wide) > MAX_PIECES) {
        copy_at_run_time(b, c);
        return;
    }
    int size = elem_size(c->of.src.elem), n = 0;
    for (int64_t r = 0; r < rows; r += high)
        for (int64_t k = 0; k < cols; k += wide, n++) {
            int64_t h = rows - r < high ? rows - r : high, w = cols - k < wide ? cols - k : wide;
            struct gm_rows src = sub_region(&c->of.src, r, k, h, w, size);
            struct gm_rows dst = sub_region(&c->of.dst, r, k, h, w, size);
            copy_piece(b, c, &src, &dst, true, n % c->nstages);
        }
    for (int k = 0; k < 2; k++)
        if (c->used[k] >= 0)
            stage_flag(b, c, k, I_WAIT_FLAG);
}

void build_copy(struct builder *b, const struct macro_copy *macro)
{
    struct copy c = {.of = *macro, .nstages = macro->nstages, .used = {-1, -1}};
    struct macro_code m = {.first = build_here(b), .copy = *macro};
    copy_pieces(b, &c);
    m.end = build_here(b);
    if (m.end > m.first)
        vec_push(b->arena, &b->macros, m);
}
