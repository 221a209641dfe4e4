/* SPDX-License-Identifier: MIT */
/* put and get: TPUT and TGET, copies through a stage (hw-facts 1.3). */
#include "codegen/internal.h"

/* Pieces of a transfer that are written out. */
enum { MAX_PIECES = 64 };

struct copy {
    const struct tensor *from, *to;
    struct region_arg src, dst;
    int stage[2], nstages; /* two: while one is stored, the other one is loaded */
    int used[2];           /* the site of the flag that says when a stage is free again, or -1 */
    bool atomic;
};

/* MTE3 has left stage k; the load of what comes next into it, or the end, waits for that. */
static void stage_flag(struct gen *g, struct copy *c, int k, enum insn_op op)
{
    g->origin = ORIGIN_MACRO;
    if (op == I_SET_FLAG)
        c->used[k] = gen_site_begin(g, "flag pair MTE3 to MTE2", -1);
    g->site = c->used[k];
    gen_emit(g, macro_free(gen_insn(g, op), op, k));
    gen_site_end(g);
    if (op == I_WAIT_FLAG)
        c->used[k] = -1;
    g->origin = ORIGIN_USER;
}

/* One piece through stage k: load, flag, store, flag. The last flag holds MTE2, not the scalar
 * unit. */
static void copy_piece(struct gen *g, struct copy *c, const struct region_arg *src,
                       const struct region_arg *dst, bool chunked, int k)
{
    if (c->used[k] >= 0)
        stage_flag(g, c, k, I_WAIT_FLAG);
    g->origin = ORIGIN_USER;
    struct dma *d = gen_dma(g, I_MTE2, c->from, c->stage[k], src);
    d->macro = true;
    if (src->cols.reg == NO_REG) /* the stage is one flat buffer */
        d->tile_stride = src->cols.imm * elem_size(d->elem);
    int64_t stride = d->tile_stride;
    g->origin = ORIGIN_MACRO;
    struct macro_step loaded[MACRO_STEPS];
    gen_steps(g, loaded, macro_loaded(gen_like(g), loaded), false);
    if (chunked) {
        gen_site_begin(g, "barrier all between chunks", -1);
        gen_barrier(g, PIPE_ALL);
        gen_site_end(g);
    }
    g->origin = ORIGIN_USER;
    d = gen_dma(g, I_MTE3, c->to, c->stage[k], dst);
    d->macro = true;
    d->tile_stride = stride;
    d->atomic_add = c->atomic;
    stage_flag(g, c, k, I_SET_FLAG);
    if (c->nstages == 1 || !chunked)
        stage_flag(g, c, k, I_WAIT_FLAG);
}

static struct region_arg sub_region(const struct region_arg *r, int64_t row, int64_t col,
                                    int64_t rows, int64_t cols, int size)
{
    struct region_arg s = *r;
    s.addr.imm += row * r->gm_stride + col * size;
    s.rows = imm_operand(rows);
    s.cols = imm_operand(cols);
    return s;
}

/* A part whose place and extents are known at run time. */
static struct region_arg moved_region(struct gen *g, const struct region_arg *r, struct operand row,
                                      struct operand col, struct operand rows, struct operand cols,
                                      int size)
{
    struct region_arg s = *r;
    s.addr = gen_plus(g, s.addr, gen_scaled(g, row, r->gm_stride));
    s.addr = gen_plus(g, s.addr, gen_scaled(g, col, size));
    s.rows = rows;
    s.cols = cols;
    return s;
}

static struct operand rest(struct gen *g, struct operand extent, int at, int64_t most)
{
    return gen_alu(g, ALU_MIN, gen_alu(g, ALU_SUB, extent, reg_operand(at)), imm_operand(most));
}

/* Extents known at run time: in one piece if the stage holds it, else in chunks of the stage's rows
 * and columns. */
static void copy_at_run_time(struct gen *g, struct copy *c)
{
    const struct tile stage = g->tiles.items[c->stage[0]];
    int size = elem_size(c->from->elem), row, col;
    struct operand rows = reg_operand(gen_in_reg(g, c->src.rows)),
                   cols = reg_operand(gen_in_reg(g, c->src.cols)),
                   low = gen_alu(g, ALU_LE, rows, imm_operand(stage.rows)),
                   narrow = gen_alu(g, ALU_LE, cols, imm_operand(stage.cols));
    int large = gen_branch(g, I_BZ, gen_alu(g, ALU_LAND, low, narrow).reg);
    c->nstages = 1;
    copy_piece(g, c, &c->src, &c->dst, false, 0);
    int done = gen_branch(g, I_JMP, NO_REG);
    gen_patch_here(g, large);
    int last_row = gen_begin_count(g, &row, rows), last_col = gen_begin_count(g, &col, cols);
    struct operand h = rest(g, rows, row, stage.rows), w = rest(g, cols, col, stage.cols);
    struct region_arg src =
                          moved_region(g, &c->src, reg_operand(row), reg_operand(col), h, w, size),
                      dst =
                          moved_region(g, &c->dst, reg_operand(row), reg_operand(col), h, w, size);
    copy_piece(g, c, &src, &dst, true, 0);
    gen_end_count(g, col, last_col, stage.cols);
    gen_end_count(g, row, last_row, stage.rows);
    gen_patch_here(g, done);
}

/* A transfer larger than its stage goes in chunks of the stage's rows and columns, or of whole rows
 * if the stage is wider. Very many of them are a loop. */
static void copy_pieces(struct gen *g, struct copy *c)
{
    const struct tile *stage = &g->tiles.items[c->stage[0]];
    int64_t capacity = (int64_t)stage->rows * stage->cols, rows = c->src.rows.imm,
            cols = c->src.cols.imm;
    bool known = c->src.rows.reg == NO_REG && c->src.cols.reg == NO_REG;
    if (!known) {
        copy_at_run_time(g, c);
        return;
    }
    if (rows * cols <= capacity) {
        copy_piece(g, c, &c->src, &c->dst, false, 0);
        return;
    }
    bool narrow = stage->cols <= cols;
    int64_t wide = narrow ? stage->cols : cols, high = narrow ? stage->rows : capacity / wide;
    if (((rows + high - 1) / high) * ((cols + wide - 1) / wide) > MAX_PIECES) {
        copy_at_run_time(g, c);
        return;
    }
    int size = elem_size(c->from->elem), n = 0;
    for (int64_t r = 0; r < rows; r += high)
        for (int64_t k = 0; k < cols; k += wide, n++) {
            int64_t h = rows - r < high ? rows - r : high, w = cols - k < wide ? cols - k : wide;
            struct region_arg src = sub_region(&c->src, r, k, h, w, size);
            struct region_arg dst = sub_region(&c->dst, r, k, h, w, size);
            copy_piece(g, c, &src, &dst, true, n % c->nstages);
        }
    for (int k = 0; k < 2; k++)
        if (c->used[k] >= 0)
            stage_flag(g, c, k, I_WAIT_FLAG);
}

static void copy_region(struct gen *g, struct copy *c)
{
    struct macro_code m = {.first = gen_here(g)};
    copy_pieces(g, c);
    m.end = gen_here(g);
    if (m.end > m.first)
        vec_push(g->arena, &g->macros, m);
}

/* Rows or columns of the stage that is made for the tensor form: those of the transfer, no more
 * than the chunk (pypto-front-facts 3.4). */
static bool stage_extent(struct gen *g, const struct ir_expr *e, const char *chunk,
                         struct operand extent, int64_t *out)
{
    int64_t most = ir_call_int(&e->call, chunk);
    if (most == 0 && extent.reg != NO_REG)
        return gen_error(g, e->span,
                         "a transfer without a stage tile needs a fixed shape, or chunk_rows and "
                         "chunk_cols");
    *out = extent.reg != NO_REG || (most && most < extent.imm) ? most : extent.imm;
    return true;
}

static bool choose_stages(struct gen *g, const struct ir_expr *e, struct copy *c)
{
    const struct ir_expr *given[] = {ir_call_arg(&e->call, "stage"),
                                     ir_call_arg(&e->call, "stage2")};
    int64_t rows = 0, cols = 0;
    c->nstages = given[1] || ir_call_int(&e->call, "pipeline") ? 2 : 1;
    c->used[0] = c->used[1] = -1;
    if (!given[0] && (!stage_extent(g, e, "chunk_rows", c->src.rows, &rows) ||
                      !stage_extent(g, e, "chunk_cols", c->src.cols, &cols)))
        return false;
    for (int k = 0; k < c->nstages; k++) {
        c->stage[k] = given[k] ? gen_tile_arg(g, given[k])
                               : gen_tile(g, k ? "stage2" : "stage", (int)rows, (int)cols,
                                          c->from->elem, IR_SPACE_VEC);
        if (g->d->failed)
            return false;
        enum elem held = g->tiles.items[c->stage[k]].elem;
        if (held != c->from->elem)
            return gen_error(g, e->span, "the stage holds %s, the source %s", elem_name(held),
                             elem_name(c->from->elem));
    }
    return true;
}

static bool copy_args(struct gen *g, const struct ir_expr *e, struct copy *c)
{
    c->to = gen_tensor_arg(g, ir_call_arg(&e->call, "dst"));
    c->from = c->to ? gen_tensor_arg(g, ir_call_arg(&e->call, "src")) : NULL;
    if (!c->from)
        return false;
    const struct ir_expr *shape = ir_call_arg(&e->call, "shape");
    bool ok = shape
                  ? gen_region(g, c->to, ir_call_arg(&e->call, "dst_offsets"), shape, &c->dst) &&
                        gen_region(g, c->from, ir_call_arg(&e->call, "src_offsets"), shape, &c->src)
                  : gen_whole_region(g, c->to, &c->dst, e->span) &&
                        gen_whole_region(g, c->from, &c->src, e->span);
    if (!ok)
        return false;
    return choose_stages(g, e, c);
}

struct value gen_put(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct toolchain *k = g->opt->toolchain;
    struct copy c = {.atomic = ir_call_int(&e->call, "atomic") == 1};
    if (!copy_args(g, e, &c))
        return none;
    gen_to_peer(g, c.to, ir_call_arg(&e->call, "peer"), &c.dst);
    if (g->d->failed)
        return none;
    gen_extra_barrier(g, k->put_pre_barrier, "barrier before TPUT");
    copy_region(g, &c);
    gen_extra_barrier(g, k->put_tail_barrier, "barrier after TPUT");
    gen_peer_cacheinvalid(g, c.dst.addr);
    return none;
}

struct value gen_get(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct toolchain *k = g->opt->toolchain;
    struct copy c = {0};
    if (!copy_args(g, e, &c))
        return none;
    gen_to_peer(g, c.from, ir_call_arg(&e->call, "peer"), &c.src);
    if (g->d->failed)
        return none;
    gen_extra_barrier(g, k->get_pre_barrier, "barrier before TGET");
    copy_region(g, &c);
    gen_extra_barrier(g, k->get_tail_barrier, "barrier after TGET");
    return none;
}
