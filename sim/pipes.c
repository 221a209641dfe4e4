/* SPDX-License-Identifier: MIT */
/*
 * The six in-order pipes (hw-facts 3.1). MTE2, MTE3 and FIX bypass the data cache (hw-facts 0.4); a
 * store retires when its messages are posted, which says nothing of their visibility
 * (hw-facts 1.3).
 */
#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"

int pipe_tile_of(const struct code *code, const struct pipe_op *op)
{
    const struct insn *i = &code->insns[op->insn];
    int tile = i->op == I_TILE_OP                    ? code->tile_ops[i->aux].dst
               : insn_all(i, CLASS_DMA | CLASS_LOAD) ? code->dmas[i->aux].tile
                                                     : -1;
    return tile < 0 ? tile : tile_home(code->tiles, tile);
}

bool pipe_has_room(const struct machine *m, int core, int pipe)
{
    return m->contract->coherent || m->cores[core].pipes[pipe].count < m->contract->pipe_depth;
}

void pipe_queue_clear(const struct machine *m, struct pipe_queue *q)
{
    for (; q->count; q->count--, q->head = (q->head + 1) % m->contract->pipe_depth)
        free(q->ops[q->head].expected);
    q->head = 0;
}

bool pipes_empty(const struct core *c)
{
    for (int p = 0; p < PIPE_COUNT; p++)
        if (c->pipes[p].count)
            return false;
    return true;
}

/* ---- issue: registers are read, the oracle learns of the access ---- */

static void note_tiles(struct core *c, const struct insn *i, struct pipe_op *op)
{
    int src[TILE_MAX_SRC], nsrc = 0, dst = -1;
    if (i->op == I_TILE_OP) {
        const struct tile_op *t = &c->code->tile_ops[i->aux];
        memcpy(src, t->src, sizeof src);
        nsrc = t->nsrc;
        dst = t->dst;
    } else if (insn_any(i, CLASS_LOAD)) {
        dst = c->code->dmas[i->aux].tile;
    } else if (!c->code->dmas[i->aux].immediate) {
        src[nsrc++] = c->code->dmas[i->aux].tile;
    }
    for (int s = 0; s < nsrc; s++)
        op->version[s] = c->tile_state[tile_home(c->code->tiles, src[s])].issued;
    if (dst >= 0)
        op->version[TILE_MAX_SRC] = ++c->tile_state[tile_home(c->code->tiles, dst)].issued;
}

static enum elem held_elem(const struct dma *d)
{
    return d->converts ? d->held : d->elem;
}

/* Bytes of one contiguous run of a transfer and how many runs there
 * are: dense rows make one run. */
static uint32_t transfer_runs(const struct dma *d, const struct pipe_op *op, uint32_t *runs)
{
    uint32_t row = op->cols * (uint32_t)elem_size(d->elem);
    int64_t held = (int64_t)op->cols * elem_size(held_elem(d));
    bool dense =
        op->rows <= 1 || (d->gm_stride == (int64_t)row && d->tile_stride == held && !d->turned);
    *runs = dense ? (op->rows > 0) : op->rows;
    return dense ? row * op->rows : row;
}

static uint32_t units_of(const struct machine *m, uint32_t bytes)
{
    return (bytes + (uint32_t)m->grain - 1) / (uint32_t)m->grain;
}

uint32_t pipe_expected_units(const struct machine *m, int core, const struct pipe_op *op)
{
    const struct code *code = m->cores[core].code;
    const struct insn *i = &code->insns[op->insn];
    if (!insn_all(i, CLASS_DMA | CLASS_LOAD))
        return 0;
    uint32_t runs, bytes = transfer_runs(&code->dmas[i->aux], op, &runs);
    return units_of(m, bytes) * runs;
}

static void note_access(struct machine *m, int core, const struct insn *i, const struct dma *d,
                        struct pipe_op *op)
{
    uint32_t runs, bytes = transfer_runs(d, op, &runs), units = units_of(m, bytes);
    m->accessed += (uint64_t)bytes * runs;
    if (!m->oracle)
        return;
    bool load = insn_any(i, CLASS_LOAD);
    op->node = oracle_access(m->oracle, core, op->insn,
                             load      ? ACCESS_READ
                             : op->add ? ACCESS_ADD
                                       : ACCESS_WRITE,
                             false);
    if (load && runs && !m->contract->coherent) {
        op->expected = malloc(sizeof(uint32_t) * (size_t)units * runs + 1);
        if (!op->expected)
            abort();
    }
    for (uint32_t r = 0; r < runs; r++)
        oracle_touch(m->oracle, op->node, op->addr + (uint64_t)((int64_t)r * d->gm_stride), bytes,
                     op->expected ? op->expected + (size_t)r * units : NULL);
}

/* Bytes from the start of the tile to the transfer's part of it. */
static int64_t place_in_tile(const struct dma *d, const struct pipe_op *op)
{
    return d->tile_offset + (d->placed ? op->scalar : 0);
}

static bool outside_tile(const struct code *code, const struct dma *d, const struct pipe_op *op)
{
    if (d->immediate)
        return false;
    const struct tile *t = &code->tiles[d->tile];
    int64_t size = elem_size(held_elem(d)), rows = d->turned ? op->cols : op->rows,
            cols = d->turned ? op->rows : op->cols, begin = place_in_tile(d, op),
            room = ((int64_t)(t->rows - 1) * tile_pitch(t) + t->cols) * size;
    int64_t end = begin + (rows - 1) * d->tile_stride + cols * size;
    return begin < 0 || begin > room || rows * cols * size > room || end > room;
}

static bool in_bounds(struct machine *m, int core, const struct insn *i, const struct dma *d,
                      struct pipe_op *op)
{
    int64_t size = elem_size(d->elem), rows = operand_value(&m->cores[core], d->rows),
            cols = operand_value(&m->cores[core], d->cols);
    /* An operation has 32 bits for an extent; what needs more does not wrap to a smaller one. */
    bool extents = rows >= 0 && rows <= INT32_MAX && cols >= 0 && cols <= INT32_MAX;
    uint64_t span = op->rows && op->cols ? (uint64_t)((int64_t)(op->rows - 1) * d->gm_stride) +
                                               op->cols * (uint64_t)size
                                         : 0;
    bool aligned = op->addr % (uint64_t)size == 0 && (op->rows <= 1 || d->gm_stride % size == 0);
    if (!extents || !in_memory(m, core, i, op->addr, span))
        oracle_outside(m->oracle, m, core, op->insn, op->addr, rows, cols);
    else if (span && outside_tile(m->cores[core].code, d, op))
        oracle_outside_tile(m->oracle, m, core, op->insn, d->tile, place_in_tile(d, op) / size,
                            d->turned ? op->cols : op->rows, d->turned ? op->rows : op->cols);
    else if (span && !aligned)
        oracle_fault(m->oracle, m, V_MISALIGNED, core, op->insn, op->addr,
                     "not aligned to its size");
    else
        return true;
    m->stop = STOP_FAULT;
    return false;
}

/* Does all of an operation at once. */
static void pipe_perform(struct machine *m, int core, struct pipe_op *op);

static void pipe_op_build(struct machine *m, int core, const struct insn *i, struct pipe_op *op)
{
    struct core *c = &m->cores[core];
    *op = (struct pipe_op){.insn = (int32_t)(i - c->code->insns)};
    op->loops = m->oracle ? oracle_loops(m->oracle, core, op->insn) : NULL;
    if (insn_any(i, CLASS_CROSS) && m->oracle)
        op->node = oracle_signal(m->oracle, core, op->insn);
    if (insn_any(i, CLASS_FLAG | CLASS_CROSS))
        return;
    if (i->op == I_TILE_OP) {
        const struct tile_op *t = &c->code->tile_ops[i->aux];
        op->scalar = operand_value(c, t->scalar);
        if (tile_op_rows[t->kind].takes & (TAKES_PLACE | TAKES_EXTENTS)) {
            op->rows = (uint32_t)operand_value(c, t->rows);
            op->cols = (uint32_t)operand_value(c, t->cols);
        }
        note_tiles(c, i, op);
        return;
    }
    const struct dma *d = &c->code->dmas[i->aux];
    op->addr = (uint64_t)operand_value(c, d->address);
    op->rows = (uint32_t)operand_value(c, d->rows);
    op->cols = (uint32_t)operand_value(c, d->cols);
    op->add = insn_any(i, CLASS_STORE) && (d->atomic_add || c->adds);
    if (d->immediate || d->placed)
        op->scalar = operand_value(c, d->value);
    note_tiles(c, i, op);
    if (m->opt.kernel && !in_bounds(m, core, i, d, op))
        return;
    note_access(m, core, i, d, op);
}

void pipe_issue(struct machine *m, int core, int pipe, const struct insn *i)
{
    struct pipe_op op;
    pipe_op_build(m, core, i, &op);
    if (m->stop)
        return;
    if (m->contract->coherent || pipe == PIPE_S) {
        pipe_perform(m, core, &op);
        return;
    }
    struct pipe_queue *q = &m->cores[core].pipes[pipe];
    q->ops[(q->head + q->count++) % m->contract->pipe_depth] = op;
}

/* ---- performing ---- */

static void check_tile(struct machine *m, int core, const struct pipe_op *op, int tile,
                       uint32_t version)
{
    const struct core *c = &m->cores[core];
    tile = tile_home(c->code->tiles, tile);
    const struct tile_state *t = &c->tile_state[tile];
    if (m->oracle && t->done != version)
        oracle_tile(m->oracle, m, core, op->insn, tile, version, op->loops);
}

void tile_written(struct tile_state *t, uint32_t version, int insn, const int64_t *loops)
{
    t->done = version;
    t->writer = insn;
    t->writer_loops = loops;
    if ((int32_t)(version - t->newest) < 0)
        return;
    t->newest = version;
    t->latest = insn;
    t->latest_loops = loops;
}

static void wrote_tile(struct core *c, const struct pipe_op *op, int tile)
{
    struct tile_state *t = &c->tile_state[tile_home(c->code->tiles, tile)];
    tile_written(t, op->version[TILE_MAX_SRC], op->insn, op->loops);
}

static void fill_column(const struct machine *m, const struct dma *d, const struct pipe_op *op,
                        uint64_t addr, uint8_t *tile)
{
    size_t size = (size_t)elem_size(d->elem);
    for (uint32_t c = 0; c < op->cols; c++)
        memcpy(tile + (int64_t)c * d->tile_stride, gm_at(m, addr + c * size), size);
}

static void perform_load(struct machine *m, int core, struct pipe_op *op)
{
    struct core *c = &m->cores[core];
    const struct dma *d = &c->code->dmas[c->code->insns[op->insn].aux];
    uint8_t *tile = c->tiles + c->code->tiles[d->tile].offset + place_in_tile(d, op);
    uint32_t runs, bytes = transfer_runs(d, op, &runs), units = units_of(m, bytes);
    for (uint32_t r = 0; r < runs; r++) {
        uint64_t addr = op->addr + (uint64_t)((int64_t)r * d->gm_stride);
        if (d->turned)
            fill_column(m, d, op, addr, tile + (int64_t)r * elem_size(d->elem));
        else
            memcpy(tile + (int64_t)r * d->tile_stride, gm_at(m, addr), bytes);
        if (m->oracle)
            oracle_judge(m->oracle, m, op->node, addr, bytes, NULL,
                         op->expected ? op->expected + (size_t)r * units : NULL, false);
    }
    free(op->expected);
    op->expected = NULL;
    wrote_tile(c, op, d->tile);
}

/* Bytes of which a DMA store to a part reads, modifies and writes the whole; 0: none. */
static uint64_t modified_whole(const struct machine *m)
{
    const struct contract *k = m->contract;
    return k->partial_line_dma == PARTIAL_READ_MODIFY_WRITE ? (uint64_t)k->line
           : k->dma_block == DMA_BLOCK_32                   ? 32
                                                            : 0;
}

/* What the core's own stores to the line have not yet brought to memory, oldest first. */
static void overlay_own(const struct machine *m, int core, struct message *msg)
{
    const struct message *x = m->cores[core].newest;
    while (x && x->older)
        x = x->older;
    for (; x; x = x->newer) {
        if (x->path != PATH_DMA || !x->masked || x->addr != msg->addr)
            continue;
        for (uint64_t own = x->own; own; own &= own - 1) {
            int w = __builtin_ctzll(own), per_word = WORD / m->grain;
            memcpy(msg->data + w * WORD, x->data + w * WORD, WORD);
            if (m->oracle)
                memcpy(msg->prov + w * per_word, x->prov + w * per_word,
                       sizeof(uint32_t) * (size_t)per_word);
        }
    }
}

/* Read-modify-write of the line, or of its blocks, by a partial store: the neighbours' present bytes
 * ride along (hw-facts 9). */
static struct message *widen(struct machine *m, int core, uint64_t addr, const uint8_t *data,
                             uint32_t len, uint32_t node)
{
    uint64_t line = line_of(m, addr);
    struct message *msg = fabric_message(m, core, PATH_DMA, line, (uint32_t)m->contract->line);
    msg->masked = true;
    uint64_t unit = modified_whole(m), low = (addr - line) & ~(unit - 1),
             high = (addr - line + len + unit - 1) & ~(unit - 1);
    for (uint64_t w = low / WORD; w < high / WORD; w++)
        msg->mask |= (uint64_t)1 << w;
    memcpy(msg->data, gm_at(m, line), (size_t)m->contract->line);
    if (m->oracle)
        prov_read(m, line, (uint64_t)m->units, msg->prov);
    overlay_own(m, core, msg);
    memcpy(msg->data + (addr - line), data, len);
    uint64_t first = (addr - line) / WORD, last = (addr - line + len - 1) / WORD;
    for (uint64_t w = first; w <= last; w++)
        msg->own |= (uint64_t)1 << w;
    for (uint32_t u = 0; m->oracle && u < units_of(m, len); u++)
        msg->prov[(addr - line) / (uint64_t)m->grain + u] = node;
    return msg;
}

static void post_piece(struct machine *m, int core, const struct dma *d, uint64_t addr,
                       const uint8_t *data, uint32_t len, const struct pipe_op *op)
{
    uint64_t unit = modified_whole(m);
    struct message *msg;
    if (unit && ((addr | len) & (unit - 1)) && !op->add) {
        msg = widen(m, core, addr, data, len, op->node);
    } else {
        msg = fabric_message(m, core, PATH_DMA, addr, len);
        msg->add = op->add;
        msg->elem = (uint8_t)d->elem;
        memcpy(msg->data, data, len);
        msg->node = op->node;
    }
    msg->insn = op->insn;
    if (m->cross)
        msg->pipe = (uint8_t)insn_pipe(m->cores[core].code, &m->cores[core].code->insns[op->insn]);
    fabric_post(m, msg);
}

/* Cuts a run at chunk boundaries; pieces of partial lines go alone when they are widened. */
static void post_run(struct machine *m, int core, const struct dma *d, uint64_t addr,
                     const uint8_t *data, uint32_t bytes, const struct pipe_op *op)
{
    uint64_t chunk = (uint64_t)m->chunk;
    if (modified_whole(m))
        chunk = (uint64_t)m->contract->line;
    while (bytes) {
        uint64_t room = chunk - addr % chunk;
        uint32_t len = bytes < room ? bytes : (uint32_t)room;
        post_piece(m, core, d, addr, data, len, op);
        addr += len;
        data += len;
        bytes -= len;
    }
}

/* The bytes that go to memory, rows one behind the other (pypto-ops-facts 2.5). */
static void post_converted(struct machine *m, int core, const struct dma *d,
                           const struct pipe_op *op, const uint8_t *tile)
{
    int64_t size = elem_size(d->elem), held = elem_size(d->held), row = op->cols * size;
    uint8_t *bytes = malloc((size_t)row + 1);
    if (!bytes)
        abort();
    for (int64_t r = 0; r < op->rows; r++) {
        for (int64_t c = 0; c < op->cols; c++)
            elem_store(bytes + c * size, d->elem,
                       alu_eval(ALU_CVT, elem_load(tile + r * d->tile_stride + c * held, d->held),
                                0, d->held, d->elem));
        post_run(m, core, d, op->addr + (uint64_t)(r * d->gm_stride), bytes, (uint32_t)row, op);
    }
    free(bytes);
}

static void perform_store(struct machine *m, int core, struct pipe_op *op)
{
    struct core *c = &m->cores[core];
    const struct dma *d = &c->code->dmas[c->code->insns[op->insn].aux];
    if (d->immediate) {
        uint8_t element[sizeof(int64_t)];
        elem_store(element, d->elem, op->scalar);
        post_run(m, core, d, op->addr, element, (uint32_t)elem_size(d->elem), op);
        return;
    }
    const uint8_t *tile = c->tiles + c->code->tiles[d->tile].offset + place_in_tile(d, op);
    check_tile(m, core, op, d->tile, op->version[0]);
    if (d->converts) {
        post_converted(m, core, d, op, tile);
        return;
    }
    uint32_t runs, bytes = transfer_runs(d, op, &runs);
    for (uint32_t r = 0; r < runs; r++)
        post_run(m, core, d, op->addr + (uint64_t)((int64_t)r * d->gm_stride),
                 tile + (int64_t)r * d->tile_stride, bytes, op);
}

static void perform_tile_op(struct machine *m, int core, struct pipe_op *op)
{
    struct core *c = &m->cores[core];
    const struct tile_op *t = &c->code->tile_ops[c->code->insns[op->insn].aux];
    for (int s = 0; s < t->nsrc; s++)
        check_tile(m, core, op, t->src[s], op->version[s]);
    tile_op_run(c->code, c->tiles, t, op);
    wrote_tile(c, op, t->dst);
}

static void pipe_perform(struct machine *m, int core, struct pipe_op *op)
{
    struct core *c = &m->cores[core];
    const struct insn *i = &c->code->insns[op->insn];
    switch (i->op) {
    case I_MTE2:
        perform_load(m, core, op);
        break;
    case I_MTE3:
    case I_FIX:
        perform_store(m, core, op);
        break;
    case I_TILE_OP:
        perform_tile_op(m, core, op);
        break;
    case I_SET_FLAG:
        c->flags[i->pa][i->pb][i->imm]++;
        break;
    case I_WAIT_FLAG:
        c->flags[i->pa][i->pb][i->imm]--;
        break;
    case I_SET_CROSS:
        cross_set(m, core, op->insn, op->node);
        break;
    }
}

bool pipe_head_enabled(const struct machine *m, int core, int pipe)
{
    const struct pipe_op *op = machine_head(m, core, pipe);
    if (!op || cross_stalls(m, core))
        return false;
    const struct insn *i = &m->cores[core].code->insns[op->insn];
    if (i->op == I_SET_CROSS)
        return cross_set_ready(m, core, pipe);
    return i->op != I_WAIT_FLAG || m->cores[core].flags[i->pa][i->pb][i->imm] > 0;
}

void pipe_step(struct machine *m, int core, int pipe)
{
    struct pipe_queue *q = &m->cores[core].pipes[pipe];
    struct pipe_op op = q->ops[q->head];
    q->head = (q->head + 1) % m->contract->pipe_depth;
    q->count--;
    m->stats[core].pipe_steps++;
    pipe_perform(m, core, &op);
}
