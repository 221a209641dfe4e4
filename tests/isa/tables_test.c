/* SPDX-License-Identifier: MIT */
/* Tables of the machine program: a row for each value, and rows that agree with each other. */
#include "isa/build.h"
#include "tests/support.h"

static const char *tile_op_name(enum tile_op_kind k)
{
    return tile_op_rows[k].name;
}

Test(tables, every_value_has_a_name)
{
    EXPECT_NAMES(insn_op_name, enum insn_op, I_OP_COUNT);
    EXPECT_NAMES(alu_name, enum alu, ALU_COUNT);
    EXPECT_NAMES(tile_op_name, enum tile_op_kind, TILE_OP_COUNT);
    EXPECT_NAMES(elem_name, enum elem, ELEM_COUNT);
    EXPECT_NAMES(pipe_name, enum pipe, PIPE_ALL + 1);
    EXPECT_NAMES(origin_name, enum origin_kind, ORIGIN_COUNT);
}

/* ---- instructions ---- */

static bool is(const struct insn_kind *k, unsigned classes)
{
    return (k->classes & classes) != 0;
}

Test(tables, rows_of_instructions_agree)
{
    for (int op = 0; op < I_OP_COUNT; op++) {
        const struct insn_kind *k = &insn_kinds[op];
        cr_expect(k->classes, "%s does nothing", k->name);
        cr_expect(!(k->reads & REG_RD) && !(k->writes & ~REG_RD), "%s: registers", k->name);
        cr_expect((k->address == ADDRESS_DMA) == is(k, CLASS_DMA), "%s: transfer", k->name);
        cr_expect(k->address != ADDRESS_TILE || is(k, CLASS_TILE), "%s: tile", k->name);
        if (is(k, CLASS_LOCAL))
            cr_expect(k->unit == UNIT_S && k->address == ADDRESS_NONE &&
                          !(k->classes & ~(CLASS_LOCAL | CLASS_BRANCH)),
                      "%s has an effect outside its core's registers", k->name);
        if (is(k, CLASS_BRANCH))
            cr_expect(is(k, CLASS_LOCAL) && !k->writes, "%s: branch", k->name);
        if (is(k, CLASS_LOAD | CLASS_STORE))
            cr_expect(k->address == (k->unit == UNIT_S ? ADDRESS_WORD : ADDRESS_DMA),
                      "%s: address of an access", k->name);
        if (k->address == ADDRESS_WORD || k->address == ADDRESS_LINE || k->address == ADDRESS_TILE)
            cr_expect(k->reads & REG_RA, "%s does not read its address", k->name);
    }
}

Test(tables, texts_of_instructions_begin_with_their_names)
{
    struct arena a = {0};
    struct tile tiles[] = {{.name = "t0", .rows = 1, .cols = 8, .elem = ELEM_I32}};
    struct dma dma = {.address = imm_operand(0),
                      .rows = imm_operand(1),
                      .cols = imm_operand(8),
                      .value = imm_operand(0),
                      .elem = ELEM_I32};
    struct tile_op tile_op = {.kind = TILE_COPY,
                              .pipe = PIPE_V,
                              .name = "tile.copy",
                              .nsrc = 1,
                              .scalar = imm_operand(0),
                              .rows = imm_operand(0),
                              .cols = imm_operand(0)};
    struct code code = {.nregs = 1,
                        .dmas = &dma,
                        .ndmas = 1,
                        .tile_ops = &tile_op,
                        .ntile_ops = 1,
                        .tiles = tiles,
                        .ntiles = 1};
    const char *names[] = {"first"};
    struct program p = {.tasks = names, .ntasks = 1, .nranks = 1, .arena = &a};
    for (int op = 0; op < I_OP_COUNT; op++) {
        struct insn i = INSN_BLANK;
        i.op = (uint8_t)op;
        i.rd = i.ra = i.rb = 0;
        const char *text = insn_text(&p, &code, &i, &a), *name = insn_kinds[op].name;
        if (op == I_ALU || op == I_TILE_OP) /* an operation's own name stands there */
            name = op == I_ALU ? alu_name((enum alu)i.sub) : "v.copy ";
        cr_expect(!strncmp(text, name, strlen(name)), "%s is printed as '%s'", name, text);
    }
    arena_free(&a);
}
