/* SPDX-License-Identifier: MIT */
/*
 * The instructions of the machine, one row each; whoever includes this defines
 *
 *     INSN(id, name, reads, writes, address, unit, classes)
 *
 * reads, writes: registers of the instruction itself (enum insn_registers); those of a transfer or
 * a tile operation stand in its struct dma or tile_op. address: how it names memory (enum
 * insn_address). unit: what performs it (enum insn_unit). classes: what it does (enum insn_class);
 * who must treat an instruction soundly asks for these.
 */
// clang-format off
INSN(NOP,       "nop",       0,                 0,      ADDRESS_NONE, UNIT_S,       CLASS_LOCAL)
INSN(LI,        "li",        0,                 REG_RD, ADDRESS_NONE, UNIT_S,       CLASS_LOCAL)
INSN(MOV,       "mov",       REG_RA,            REG_RD, ADDRESS_NONE, UNIT_S,       CLASS_LOCAL)
INSN(ALU,       "alu",       REG_RA | REG_RB,   REG_RD, ADDRESS_NONE, UNIT_S,       CLASS_LOCAL)
INSN(JMP,       "jmp",       0,                 0,      ADDRESS_NONE, UNIT_S,       CLASS_LOCAL | CLASS_BRANCH)
INSN(BZ,        "bz",        REG_RA,            0,      ADDRESS_NONE, UNIT_S,       CLASS_LOCAL | CLASS_BRANCH)
INSN(BNZ,       "bnz",       REG_RA,            0,      ADDRESS_NONE, UNIT_S,       CLASS_LOCAL | CLASS_BRANCH)
/* how transfers store from here on, in later tasks too: imm 1: they add, 0: they write */
INSN(SET_ATOMIC, "set_atomic", 0,               0,      ADDRESS_NONE, UNIT_S,       CLASS_LOCAL)
/* scalar memory */
INSN(LD,        "ld",        REG_RA,            REG_RD, ADDRESS_WORD, UNIT_S,       CLASS_LOAD | CLASS_CACHED)
INSN(ST,        "st",        REG_RA | REG_RB,   0,      ADDRESS_WORD, UNIT_S,       CLASS_STORE | CLASS_CACHED)
INSN(ST_ATOMIC, "st.atomic", REG_RA | REG_RB,   0,      ADDRESS_WORD, UNIT_S,       CLASS_STORE | CLASS_CACHED)
INSN(LD_DEV,    "ld.dev",    REG_RA,            REG_RD, ADDRESS_WORD, UNIT_S,       CLASS_LOAD)
INSN(ST_DEV,    "st.dev",    REG_RA | REG_RB,   0,      ADDRESS_WORD, UNIT_S,       CLASS_STORE)
/* cache */
INSN(DCCI,      "dcci",      REG_RA,            0,      ADDRESS_LINE, UNIT_S,       CLASS_CACHED)
INSN(DCCI_ALL,  "dcci all",  0,                 0,      ADDRESS_ALL,  UNIT_S,       CLASS_CACHED)
/* order */
INSN(DSB,       "dsb",       0,                 0,      ADDRESS_NONE, UNIT_S,       CLASS_ORDER)
INSN(BARRIER,   "barrier",   0,                 0,      ADDRESS_NONE, UNIT_S,       CLASS_ORDER)
INSN(SET_FLAG,  "set_flag",  0,                 0,      ADDRESS_NONE, UNIT_PA,      CLASS_FLAG)
INSN(WAIT_FLAG, "wait_flag", 0,                 0,      ADDRESS_NONE, UNIT_PB,      CLASS_FLAG)
INSN(POLL,      "poll",      REG_RA | REG_RB,   0,      ADDRESS_WORD, UNIT_S,       CLASS_LOAD | CLASS_CACHED | CLASS_ORDER)
INSN(POLL_DEV,  "poll.dev",  REG_RA | REG_RB,   0,      ADDRESS_WORD, UNIT_S,       CLASS_LOAD | CLASS_ORDER)
/* between the cores of a cluster, or of a rank */
INSN(SET_CROSS, "set_cross", 0,                 0,      ADDRESS_NONE, UNIT_PA,      CLASS_CROSS)
INSN(WAIT_CROSS, "wait_cross", 0,               0,      ADDRESS_NONE, UNIT_S,       CLASS_CROSS)
/* tiles seen by the scalar unit */
INSN(TILE_LD,   "tile.ld",   REG_RA,            REG_RD, ADDRESS_TILE, UNIT_S,       CLASS_TILE)
INSN(TILE_ST,   "tile.st",   REG_RA | REG_RB,   0,      ADDRESS_TILE, UNIT_S,       CLASS_TILE)
/* pipe operations, issued by the scalar unit */
INSN(MTE2,      "mte2",      0,                 0,      ADDRESS_DMA,  UNIT_MTE2,    CLASS_LOAD | CLASS_DMA)
INSN(MTE3,      "mte3",      0,                 0,      ADDRESS_DMA,  UNIT_MTE3,    CLASS_STORE | CLASS_DMA)
INSN(FIX,       "fix",       0,                 0,      ADDRESS_DMA,  UNIT_FIX,     CLASS_STORE | CLASS_DMA)
INSN(TILE_OP,   "tile",      0,                 0,      ADDRESS_NONE, UNIT_TILE_OP, CLASS_TILE)
/* tasks */
INSN(TASK,      "task",      0,                 0,      ADDRESS_NONE, UNIT_S,       CLASS_TASK)
INSN(END,       "end",       0,                 0,      ADDRESS_NONE, UNIT_S,       CLASS_TASK)
// clang-format on
