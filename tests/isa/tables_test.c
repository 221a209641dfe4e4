/* SPDX-License-Identifier: MIT */
/* Tables of the machine program: a row for each value, and rows that agree with each other. */
#include "isa/program.h"
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
