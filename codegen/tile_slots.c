/* SPDX-License-Identifier: MIT */
/* Tiles and their valid extents. */
#include "codegen/internal.h"

static int add_tile(struct gen *g, struct tile t, enum ir_space s)
{
    static const char *const names[IR_SPACE_COUNT] = {[IR_SPACE_VEC] = "vec",
                                                      [IR_SPACE_MAT] = "mat",
                                                      [IR_SPACE_LEFT] = "left",
                                                      [IR_SPACE_RIGHT] = "right",
                                                      [IR_SPACE_ACC] = "acc",
                                                      [IR_SPACE_BIAS] = "bias",
                                                      [IR_SPACE_LEFT_SCALE] = "scaling",
                                                      [IR_SPACE_RIGHT_SCALE] = "scaling"};
    t.space = names[s];
    vec_push(g->arena, &g->spaces, s);
    return build_tile(&g->build, t, s == IR_SPACE_ACC);
}

int gen_tile(struct gen *g, const char *name, int rows, int cols, enum elem elem, enum ir_space s)
{
    struct tile t = {
        .name = name, .rows = rows, .cols = cols, .elem = elem, .offset = g->tile_bytes};
    g->tile_bytes +=
        ((int64_t)rows * cols * elem_size(elem) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return add_tile(g, t, s);
}

int gen_view(struct gen *g, const char *name, int of, struct tile layout)
{
    layout.name = name;
    layout.view_of = 1 + tile_home(g->tiles.items, of);
    layout.offset += g->tiles.items[of].offset;
    return add_tile(g, layout, g->spaces.items[of]);
}

void gen_set_valid(struct gen *g, int tile, struct operand rows, struct operand cols)
{
    struct tile_valid *v = &g->tile_valid.items[tile];
    if (!g->stores_parts)
        return;
    if (v->tracked) {
        gen_move(g, v->rows.reg, rows);
        gen_move(g, v->cols.reg, cols);
        return;
    }
    v->rows = rows.reg == NO_REG ? rows : gen_copy(g, rows);
    v->cols = cols.reg == NO_REG ? cols : gen_copy(g, cols);
}

void gen_set_whole(struct gen *g, int tile)
{
    const struct tile *t = &g->tiles.items[tile];
    gen_set_valid(g, tile, imm_operand(t->rows), imm_operand(t->cols));
}

void gen_track_valid(struct gen *g, int tile)
{
    struct tile_valid *v = &g->tile_valid.items[tile];
    if (v->tracked || !g->stores_parts)
        return;
    v->rows = gen_copy(g, v->rows);
    v->cols = gen_copy(g, v->cols);
    v->tracked = true;
}

void gen_patch_all(struct gen *g, const struct patch_list *l)
{
    vec_foreach (int, at, &l->at)
        gen_patch_here(g, *at);
}
