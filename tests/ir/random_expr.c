/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "tests/ir/random_internal.h"

size_t pick(struct generator *g, size_t n)
{
    return (size_t)rng_below(&g->rng, n);
}

bool chance(struct generator *g, size_t one_in)
{
    return pick(g, one_in) == 0;
}

void put(struct generator *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    strbuf_add(&g->out, arena_vprintf(g->arena, fmt, ap));
    va_end(ap);
}

bool have(const struct generator *g, enum sort sort)
{
    return g->pools[sort].len > 0;
}

const char *any_of(struct generator *g, enum sort sort)
{
    const struct pool *p = &g->pools[sort];
    return p->len ? p->names[pick(g, p->len)] : NULL;
}

/* ---- expressions ---- */

static void operands(struct generator *g, void (*gen)(struct generator *, int), int depth,
                     const char *open, const char *between, const char *close)
{
    put(g, "%s", open);
    gen(g, depth - 1);
    put(g, "%s", between);
    gen(g, depth - 1);
    put(g, "%s", close);
}

static const char *const arithmetic[] = {" + ", " - ", " * ",  " // ", " % ",
                                         " & ", " | ", " << ", " >> ", " ^ "};

static void gen_operation(struct generator *g, void (*gen)(struct generator *, int), int depth)
{
    switch (pick(g, 8)) {
    case 4: /* a power of a negative number is a float, which no integer goes with */
        put(g, "(");
        gen(g, depth - 1);
        put(g, ") ** %s", gen == gen_int32 ? "pl.const(2, pl.INT32)" : "2");
        break;
    case 0:
        put(g, "%s", chance(g, 2) ? "-" : "~");
        gen(g, depth - 1);
        break;
    case 1:
        operands(g, gen, depth, chance(g, 2) ? "pl.min(" : "max(", ", ", ")");
        break;
    case 2:
        put(g, "abs(");
        gen(g, depth - 1);
        put(g, ")");
        break;
    case 3:
        operands(g, gen, depth, "(", PICK(g, arithmetic), ")");
        break;
    default:
        operands(g, gen, depth, "", PICK(g, arithmetic), "");
        break;
    }
}

void gen_index(struct generator *g, int depth)
{
    static const char *const leaves[] = {"0",    "1",    "-3",    "0x1f",
                                         "SIZE", "ROWS", "1_000", "SIZE // 2"};
    if (depth > 0 && chance(g, 2))
        gen_operation(g, gen_index, depth);
    else if (depth > 0 && chance(g, 8))
        operands(g, gen_int32, depth, "pl.cast(", " + ", ", pl.INDEX)");
    else if (have(g, SORT_TUPLE) && chance(g, 6))
        put(g, "%s[0]", any_of(g, SORT_TUPLE));
    else if (have(g, SORT_INDEX) && chance(g, 2))
        put(g, "%s", any_of(g, SORT_INDEX));
    else
        put(g, "%s", PICK(g, leaves));
}

void gen_int32(struct generator *g, int depth)
{
    static const char *const leaves[] = {"pl.const(-7, pl.INT32)", "pl.const(2147483647, pl.INT32)",
                                         "pl.cast(16, pl.INT32)",
                                         "pl.cast(1, target_type=pl.INT32)"};
    if (depth > 0 && chance(g, 2))
        gen_operation(g, gen_int32, depth);
    else if (have(g, SORT_INT32) && chance(g, 2))
        put(g, "%s", any_of(g, SORT_INT32));
    else
        put(g, "%s", PICK(g, leaves));
}

void gen_float(struct generator *g, int depth)
{
    static const char *const leaves[] = {
        "2.5",
        "-0.0",
        "9.9999999999999995e-07",
        "EPS",
        "1e400",
        "pl.cast(pl.const(1, pl.FP16), pl.FP32)",
        "pl.cast(pl.const(pl._dump.float64(\"7ff8000000000001\"), pl.BF16), pl.FP32)",
        ".5"};
    if (depth > 0 && chance(g, 2))
        operands(g, gen_float, depth, "", chance(g, 2) ? " / " : " * ", "");
    else if (have(g, SORT_TUPLE) && chance(g, 6))
        put(g, "%s[1]", any_of(g, SORT_TUPLE));
    else if (have(g, SORT_FLOAT) && chance(g, 2))
        put(g, "%s", any_of(g, SORT_FLOAT));
    else
        put(g, "%s", PICK(g, leaves));
}

void gen_cond(struct generator *g, int depth)
{
    static const char *const compare[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    switch (depth > 0 ? pick(g, 8) : pick(g, 3)) {
    case 0:
        put(g, "%s", have(g, SORT_BOOL) ? any_of(g, SORT_BOOL) : chance(g, 2) ? "True" : "False");
        break;
    case 3:
        put(g, "not ");
        operands(g, gen_index, 1, "", PICK(g, compare), "");
        break;
    case 4:
        operands(g, gen_cond, depth, "(", ") ^ (", ")");
        break;
    case 5:
        operands(g, gen_index, depth, "pl._dump.logical_xor(", ", ", ")");
        break;
    case 6:
        operands(g, gen_cond, depth, "(", chance(g, 2) ? " and " : " or ", ")");
        break;
    case 7:
        operands(g, gen_int32, depth, "", PICK(g, compare), "");
        break;
    default:
        operands(g, gen_index, 1, "", PICK(g, compare), "");
        break;
    }
}

static void gen_sequence(struct generator *g, int depth, const char *open, const char *close)
{
    size_t n = pick(g, 4);
    put(g, "%s", open);
    for (size_t i = 0; i < n; i++) {
        gen_any(g, depth - 1);
        put(g, i + 1 < n || (n == 1 && open[0] == '(') ? ", " : "");
    }
    put(g, "%s", close);
}

void gen_any(struct generator *g, int depth)
{
    static const char *const leaves[] = {
        "None",
        "'text'",
        "\"it's\\n\\\\\"",
        "pl.Mem.Vec",
        "pl.FP32",
        "True",
        "pl.PadValue.min",
        "pld.NotifyOp.Set",
        "[]",
        "()",
        "'a' \"b\"",
        "pl.Ptr",
        "-9223372036854775808",
        "pl.Tensor[[4, ROWS], pl.FP8]",
        "{\"k\": 'v', \"l\": [1, -1], \"m\": pl.const(-1, pl.INDEX)}",
    };
    switch (depth > 0 ? pick(g, 8) : 7) {
    case 0:
        gen_index(g, depth);
        break;
    case 1:
        gen_float(g, depth);
        break;
    case 2:
        gen_cond(g, depth);
        break;
    case 3:
        gen_sequence(g, depth, "[", "]");
        break;
    case 4:
        gen_sequence(g, depth, "(", ")");
        break;
    case 5:
        put(g, "pl.tile.nested(");
        gen_any(g, depth - 1);
        put(g, ", k=");
        gen_any(g, depth - 1);
        put(g, ")");
        break;
    default:
        put(g, "%s", PICK(g, leaves));
        break;
    }
}

void gen_attrs(struct generator *g)
{
    static const char *const keys[] = {"directions", "device", "dump vars", "k"};
    put(g, "attrs={\"%s\": ", PICK(g, keys));
    gen_any(g, 2);
    put(g, ", \"z\": [pl.adir.input, pl.adir.inout]}");
}

/* ---- types ---- */

const char *sort_type(enum sort sort)
{
    static const char *const types[SORT_COUNT] = {
        [SORT_INDEX] = "pl.Scalar[pl.INDEX]",
        [SORT_INT32] = "pl.Scalar[pl.INT32]",
        [SORT_FLOAT] = "pl.Scalar[pl.FP32]",
        [SORT_BOOL] = "pl.Scalar[pl.BOOL]",
        [SORT_TENSOR] = "pl.Tensor[[4, 64], pl.FP32]",
        [SORT_WINDOW] = "pld.DistributedTensor[[4, 64], pl.FP32]",
        [SORT_SIGNAL] = "pld.DistributedTensor[[4, 1], pl.INT32]",
        [SORT_TILE] = "pl.Tile[[1, 64], pl.FP32]",
        [SORT_TASK] = "pl.Scalar[pl.TASK_ID]",
        [SORT_TUPLE] = "pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.FP32]]",
        [SORT_PTR] = "pl.Ptr",
    };
    return types[sort];
}

static void gen_dtype(struct generator *g)
{
    static const char *const names[] = {
        "INT4",   "INT8",   "INT16", "INT32", "INT64",     "UINT4",   "UINT8",   "UINT16",
        "UINT32", "UINT64", "FP4",   "FP8",   "FP8E4M3FN", "FP8E5M2", "FP8E8M0", "FP16",
        "FP32",   "BF16",   "HF4",   "HF8",   "BOOL",      "INDEX",   "TASK_ID"};
    put(g, "pl.%s", PICK(g, names));
}

void gen_shaped_type(struct generator *g)
{
    static const char *const kinds[] = {"pl.Tensor", "pld.DistributedTensor", "pl.Tile"};
    static const char *const dims[] = {
        "1", "64", "ROWS", "rows", "cols * 2", "pl.min(rows, 8)", "rows + pl.const(2, pl.INDEX)",
        "NR"};
    static const char *const annots[] = {
        ", pl.MemRef(\"mem_ddr_3\", pl.const(0, pl.INT64), 0)",
        ", pl.MemRef(\"mem_vec_1\", rows * (NR * 64) * 2, 256), pl.Mem.Vec",
        ", pl.Mem.Acc, pl.TileView(valid_shape=[rows, 4], pad=pl.PadValue.min)",
        ", pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.ND)",
        ", pl.MemRef(\"p\", slots=2)[rows % 2], pl.Mem.Vec",
    };
    put(g, "%s[[", PICK(g, kinds));
    for (size_t n = 1 + pick(g, 3); n > 0; n--)
        put(g, "%s%s", PICK(g, dims), n > 1 ? ", " : "");
    put(g, "], ");
    gen_dtype(g);
    put(g, "%s]", chance(g, 2) ? PICK(g, annots) : "");
}

void gen_type(struct generator *g, int depth)
{
    static const char *const plain[] = {"pl.Ptr",
                                        "pl.MemRefType",
                                        "pl.UnknownType",
                                        "pld.WindowBufferType",
                                        "pld.CommCtx",
                                        "pl.Array[4, pl.TASK_ID]",
                                        "pld.AsyncEvent",
                                        "pl.Tuple[()]",
                                        "pl.Quant[[4, 4], \"a b\"]"};
    switch (pick(g, depth > 0 ? 4 : 3)) {
    case 0:
        gen_shaped_type(g);
        break;
    case 1:
        put(g, "pl.Scalar[");
        gen_dtype(g);
        put(g, "]");
        break;
    case 2:
        put(g, "%s", PICK(g, plain));
        break;
    default:
        put(g, "pl.Tuple[");
        for (size_t n = 1 + pick(g, 3); n > 0; n--) {
            gen_type(g, depth - 1);
            put(g, n > 1 ? ", " : "]");
        }
        break;
    }
}
