/* SPDX-License-Identifier: MIT */
/*
 * Tile operations, one row each; whoever includes this defines
 *
 *     TILE(id, name, operator, form, takes, integer, real)
 *
 * operator: the tile operator of the kernel language that is this arithmetic, or NULL. form: how
 * elements become elements (enum tile_form). takes: operands besides tiles (enum tile_takes).
 * integer, real: one element, of the integers a and b or the floats x and y; isa/arithmetic.c has
 * the functions, sim/tile.c what is not done element by element.
 */
// clang-format off
TILE(COPY,          "copy",       NULL,       FORM_CONVERT, 0,              a,                 x)
TILE(RESHAPE,       "reshape",    NULL,       FORM_OWN,     0,              a,                 x)
/* nothing: another shape of the same memory, which the assembler takes for work of the scalar unit
 * (pypto-ops-facts 1.4) */
TILE(RENAME,        "rename",     NULL,       FORM_OWN,     0,              a,                 x)
TILE(FILL,          "fill",       NULL,       FORM_FILL,    TAKES_SCALAR,   a,                 x)
/* the scalar and on, along each row */
TILE(RAMP,          "ramp",       NULL,       FORM_FILL,    TAKES_SCALAR,   wadd(a, b),        x + y)
TILE(RAMP_DOWN,     "ramp_down",  NULL,       FORM_FILL,    TAKES_SCALAR,   wsub(a, b),        x - y)
/* what is not valid of the source, from its valid rows and columns on, becomes the scalar */
TILE(FILLPAD,       "fillpad",    NULL,       FORM_OWN,     TAKES_SCALAR | TAKES_EXTENTS, a,   x)
/* of the source, what lies from (rows, cols) on */
TILE(PART,          "part",       NULL,       FORM_OWN,     TAKES_PLACE,    a,                 x)
/* the second source over the first one, which is the result, from (rows, cols) on */
TILE(INSERT,        "insert",     NULL,       FORM_OWN,     TAKES_PLACE,    a,                 x)
TILE(ADD,           "add",        "add",      FORM_BINARY,  0,              wadd(a, b),        x + y)
TILE(SUB,           "sub",        "sub",      FORM_BINARY,  0,              wsub(a, b),        x - y)
TILE(MUL,           "mul",        "mul",      FORM_BINARY,  0,              wmul(a, b),        x * y)
TILE(DIV,           "div",        "div",      FORM_BINARY,  0,              cut_div(a, b),     x / y)
TILE(MAX,           "max",        "maximum",  FORM_BINARY,  0,              a > b ? a : b,     fmaxf(x, y))
TILE(MIN,           "min",        "minimum",  FORM_BINARY,  0,              a < b ? a : b,     fminf(x, y))
TILE(ADDS,          "adds",       "adds",     FORM_SCALAR,  TAKES_SCALAR,   wadd(a, b),        x + y)
TILE(SUBS,          "subs",       "subs",     FORM_SCALAR,  TAKES_SCALAR,   wsub(a, b),        x - y)
TILE(MULS,          "muls",       "muls",     FORM_SCALAR,  TAKES_SCALAR,   wmul(a, b),        x * y)
TILE(DIVS,          "divs",       "divs",     FORM_SCALAR,  TAKES_SCALAR,   cut_div(a, b),     x / y)
TILE(MAXS,          "maxs",       "maximums", FORM_SCALAR,  TAKES_SCALAR,   a > b ? a : b,     fmaxf(x, y))
TILE(MINS,          "mins",       "minimums", FORM_SCALAR,  TAKES_SCALAR,   a < b ? a : b,     fminf(x, y))
TILE(NEG,           "neg",        "neg",      FORM_UNARY,   0,              wsub(0, a),        -x)
TILE(ABS,           "abs",        "abs",      FORM_UNARY,   0,              a < 0 ? wsub(0, a) : a, fabsf(x))
TILE(RELU,          "relu",       "relu",     FORM_UNARY,   0,              a > 0 ? a : 0,     fmaxf(x, 0))
/* the scalar: how a float becomes an integer (enum cast_mode) */
TILE(CAST,          "cast",       "cast",     FORM_CONVERT, TAKES_SCALAR,   a,                 x)
TILE(ROW_SUM,       "row_sum",    "row_sum",  FORM_ROWS,    0,              wadd(a, b),        x + y)
TILE(ROW_MAX,       "row_max",    "row_max",  FORM_ROWS,    0,              a > b ? a : b,     fmaxf(x, y))
TILE(ROW_MIN,       "row_min",    "row_min",  FORM_ROWS,    0,              a < b ? a : b,     fminf(x, y))
/* of the first source, the elements whose places in it, row after row, the second one holds */
TILE(GATHER,        "gather",     "gather",   FORM_PLACES,  0,              a,                 x)
/* a fixed function of the operand bits and the operator's name */
TILE(UNINTERPRETED, "opaque",     NULL,       FORM_OPAQUE,  0,              a,                 x)
/* likewise; of all operands but the first one where the scalar is not 0 */
TILE(ACCUMULATE,    "accumulate", NULL,       FORM_OPAQUE,  TAKES_SCALAR,   a,                 x)
// clang-format on
