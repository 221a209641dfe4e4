/* SPDX-License-Identifier: MIT */
#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "tests/passes/transform_rig.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char pass_name[] = "LowerCompositeOps";

/* ---- what sizes, operators and types change ---- */

static const char frame[] = "lower_composite_ops_sizes";

enum { MAX_PARTS = 6 };

/* One allreduce, and parts of what it becomes: what pypto-front-facts 3.7 says of its size. */
static const struct {
    const char *call;
    const char *parts[MAX_PARTS];
} sizes[] = {
    /* mesh: 16 KiB a chunk */
    {"w, sig",
     {"pl.tensor.view(w, [1, 6000])\n", " in pl.range(0, 6000, 4096):\n",
      "pl.min(4096, 6000 - eval__col_tmp_v9)", "col_tmp_v9 // 4096 + 2, pl.INT32)\n",
      "pl.cast(1 + (6000 + (4096 - 1)) // 4096, pl.INT32)\n"}},
    /* 18 elements: whole blocks of 32 bytes */
    {"small, sig", {"pl.range(0, 18, 24):\n", "pl.Tile[[1, 24], pl.FP32, pl.Mem.Vec,"}},
    {"chunk, sig", {"pl.tensor.view(chunk, [1, 4096])\n", "pl.range(0, 4096, 4096):\n"}},
    {"half, sig",
     {"pl.range(0, 9000, 8192):\n",
      "valid_shape=[1, pl.min((pl.min(9000 - eval__col_tmp_v9, 8192) + 15) // 16 * 16, "
      "pl.min(pl.max(9015 - eval__col_tmp_v9, 0), 8192))]",
      "[1, (pl.min(8192, 9000 - eval__col_tmp_v9) + 15) // 16 * 16])\n"}},
    {"few, sig",
     {"pl.range(0, 20, 32):\n", "valid_shape=[1, pl.min((20 - eval__col_tmp_v9 + 15) // 16 * 16, "
                                "pl.min(pl.max(35 - eval__col_tmp_v9, 0), 32))]"}},
    /* what is left of 17 elements and their padding is never more than the tile */
    {"one, sig",
     {"pl.tensor.view(one, [1, 17])\n",
      "valid_shape=[1, pl.min((17 - eval__col_tmp_v9 + 15) // 16 * 16, "
      "pl.max(32 - eval__col_tmp_v9, 0))]"}},
    /* a size that is not known, or that the command line may change */
    {"any, sig",
     {"pl.tensor.view(any, [1, NR * M])\n", " in pl.range(0, NR * M, 4096):\n",
      "pl.min(4096, NR * M - eval__col_tmp_v9)",
      "pl.cast(1 + (NR * M + (4096 - 1)) // 4096, pl.INT32)\n"}},
    {"named, sig", {"pl.tensor.view(named, [1, 2 * SIZE])\n", "pl.range(0, 2 * SIZE, 4096):\n"}},
    {"packed, sig", {"pl.tensor.view(packed, [1, 8])\n", "pl.range(0, 8, 8):\n"}},
    {"all, sig", {"pl.tensor.view(all, [1, 8])\n", "pl.range(0, 8, 8):\n"}},
    /* a part of a size that is not known: the tile holds all */
    {"cut, sig",
     {"pl.tensor.view(cut, [64, 8], [1, M])\n",
      ": pl.Tile[[64, 8], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, M])] = "
      "pl.tile.load(eval__target_2d_tmp_v4, [0, 0], [64, 8], [1, M], target_memory=pl.Mem.Vec)\n",
      ": pl.Tile[[64, 8], pl.FP16, pl.TileView(valid_shape=[1, pl.min(M, 8)])] = "
      "pld.tile.remote_load(eval__target_2d_tmp_v4, eval__peer_tmp_v10, [0, 0], [64, 8], "
      "[1, M])\n"}},
    /* ring: segments of a third */
    {"small, ring, mode='ring'",
     {"pl.tensor.view(small, [1, 18])\n", "recv_add_idx_tmp_v9 * 18 // 3\n",
      "eval__rs_col_tmp_v14 in pl.range(0, 6, 8):\n", "pl.range(4):\n",
      "pl.cast(2 * ((6 + (8 - 1)) // 8), pl.INT32)\n"}},
    {"w, ring, mode='ring'",
     {"eval__rs_col_tmp_v14 in pl.range(0, 2000, 2000):\n",
      "eval__ag_col_tmp_v43 in pl.range(0, 2000, 2000):\n"}},
    {"few, ring, mode='ring'",
     {"pl.min((eval__recv_add_idx_tmp_v9 * 20 + (3 * 16 - 1)) // (3 * 16) * 16, 20)\n",
      "eval__rs_col_tmp_v14 in pl.range(0, 20, 32):\n"}},
    {"half, ring, mode='ring'", {"eval__rs_col_tmp_v14 in pl.range(0, 3015, 3024):\n"}},
    {"small, rings, mode='ring'",
     {"recv_add_idx_tmp_v9 * 18 // NR\n",
      "eval__rs_col_tmp_v14 in pl.range(0, (18 + (NR - 1)) // NR, 4096):\n",
      "_tmp_v62 in pl.range(M):\n",
      "pl.cast(2 * (((18 + (NR - 1)) // NR + (4096 - 1)) // 4096), pl.INT32)\n"}},
    {"few, rings, mode='ring'",
     {"eval__rs_col_tmp_v14 in pl.range(0, pl.min(20, (20 + (NR - 1)) // NR + 15), 8192):\n"}},
    /* the first 48 of 64 elements; what lies behind them may be loaded as padding */
    {"prefix, ring, mode='ring'",
     {"pl.tensor.view(prefix, [1, 64], [1, 48])\n",
      "pl.min((eval__recv_add_idx_tmp_v9 * 48 + (3 * 16 - 1)) // (3 * 16) * 16, 48)\n",
      "pl.min(pl.max(79 - (eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14), 0), 32))]",
      "[0, 48 - pl.max(0, 48 - (eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14))], "
      "eval__target_2d_tmp_v5)\n"}},
};

static const char *lowered(struct arena *a, const char *name, const char *body)
{
    static const char *const names[] = {pass_name};
    const struct ir_program *p = transform_parse(a, name, framed_text(a, frame, body));
    return printed_function(a, ir_print(a, transform_run(a, name, p, names, 1)), "k");
}

Test(lower_composite, sizes)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct arena a = {0};
        const char *text = lowered(
            &a, sizes[i].call, arena_printf(&a, "pld.tensor.allreduce(%s, op=0)\n", sizes[i].call));
        for (int part = 0; part < MAX_PARTS && sizes[i].parts[part]; part++)
            cr_expect(strstr(text, sizes[i].parts[part]), "%s: no '%s'", sizes[i].call,
                      sizes[i].parts[part]);
        arena_free(&a);
    }
}

Test(lower_composite, reductions)
{
    static const struct {
        const char *member, *op;
    } rows[] = {{"Sum", "add"}, {"Max", "maximum"}, {"Min", "minimum"}, {"Prod", "mul"}};
    static const char *const operands[] = {"w, sig", "w, ring, mode='ring'", "cut, sig"};
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t k = 0; k < COUNT(operands); k++) {
            struct arena a = {0};
            const char *call = arena_printf(&a, "pld.tensor.allreduce(%s, op=pld.ReduceOp.%s)\n",
                                            operands[k], rows[i].member);
            const char *text = lowered(&a, call, call);
            for (size_t other = 0; other < COUNT(rows); other++) {
                bool found = strstr(text, arena_printf(&a, " = pl.tile.%s(", rows[other].op));
                cr_expect(found == (other == i), "%s: tile.%s", call, rows[other].op);
            }
            arena_free(&a);
        }
}

/* ---- which functions ---- */

/* A host's collectives are dispatches of builtin kernels. An orchestrator on the chip has none; a
 * scope in it becomes a kernel. */
Test(lower_composite, functions)
{
    static const struct {
        const char *decorator, *body, *error;
        bool lowers;
    } rows[] = {
        {"type=pl.FunctionType.InCore", "pld.tensor.barrier(sig)\n", NULL, true},
        {"type=pl.FunctionType.AIV", "pld.tensor.barrier(sig)\n", NULL, true},
        {"type=pl.FunctionType.Opaque", "pld.tensor.barrier(sig)\n", NULL, true},
        {"level=pl.Level.HOST, role=pl.Role.Orchestrator", "pld.tensor.barrier(sig)\n", NULL,
         false},
        {"type=pl.FunctionType.Orchestration", "pld.tensor.barrier(sig)\n",
         "LowerCompositeOps: pld.tensor.barrier runs in kernels and host orchestrators, not in the "
         "Orchestration function 'k' [kernel-only]",
         false},
        {"type=pl.FunctionType.Orchestration",
         "with pl.at(level=pl.Level.CORE_GROUP):\n            pld.tensor.barrier(sig)\n", NULL,
         true},
    };
    static const char *const names[] = {pass_name};
    const struct pass_options o = {.markers = true, .verify_each = true};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const char *text = arena_printf(
            &a,
            "%s\n@pl.program\nclass P:\n    @pl.function(%s)\n"
            "    def k(sig: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]):\n        %s",
            transform_imports, rows[i].decorator, rows[i].body);
        const struct ir_program *p = transform_parse(&a, rows[i].decorator, text),
                                *out = passes_run(&a, p, names, 1, &o, NULL, &d);
        expect_text(rows[i].decorator, out ? "no error" : d.message,
                    rows[i].error ? rows[i].error : "no error");
        if (out)
            cr_expect(ir_equal(p, out) == !rows[i].lowers, "%s:\n%s", rows[i].decorator,
                      ir_print(&a, out));
        arena_free(&a);
    }
}

/* ---- the markers of what a collective becomes (pypto-facts 5.5) ---- */

/* How often a marker stands in the text, by its call. */
static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        n++;
    return n;
}

/* The column of the line that holds the part first. */
static size_t column_of(const char *text, const char *part)
{
    const char *line = strstr(text, part);
    cr_assert(line, "no '%s' in\n%s", part, text);
    while (line > text && line[-1] != '\n')
        line--;
    return strspn(line, " ");
}

Test(lower_composite, markers)
{
    static const struct {
        const char *call;
        size_t published, barriers; /* places in the text */
    } rows[] = {
        {"pld.tensor.barrier(sig)", 0, 1},
        {"pld.tensor.broadcast(w, sig, root=0)", 1, 1},
        {"pld.tensor.reduce_scatter(w, sig, op=0)", 1, 2},
        {"pld.tensor.allreduce(w, sig, op=0)", 1, 2},
        {"pld.tensor.allreduce(cut, sig, op=0)", 1, 2},
        {"pld.tensor.allreduce(w, ring, op=0, mode='ring')", 2, 4},
    };
    static const char *const names[] = {pass_name, "InsertCommFence"};
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int batched = 0; batched < 2; batched++) {
            struct arena a = {0};
            struct diag d = {.arena = &a};
            struct pass_options o = PASS_OPTIONS_DEFAULT;
            o.batch = batched ? PASS_BATCH_LOOPS : PASS_BATCH_NONE;
            const struct ir_program *p = transform_parse(
                &a, rows[i].call, framed_text(&a, frame, arena_printf(&a, "%s\n", rows[i].call)));
            p = passes_run(&a, p, names, COUNT(names), &o, NULL, &d);
            cr_assert(p, "%s", diag_text(&d, &a));
            const char *text = ir_print(&a, p);
            cr_expect_eq(count_of(text, "pl.system.fence()"), rows[i].published, "%s",
                         rows[i].call);
            cr_expect_eq(count_of(text, "pl.system.cacheinvalid(eval__target_2d") +
                             count_of(text, "pl.system.cacheinvalid(w, "),
                         rows[i].published, "%s", rows[i].call);
            cr_expect_eq(count_of(text, "pl.system.cacheinvalid()"), rows[i].barriers, "%s",
                         rows[i].call);
            /* behind the wait, or behind the loop around it */
            size_t wait = column_of(text, "pld.system.wait("),
                   invalidate = column_of(text, "pl.system.cacheinvalid()");
            cr_expect_eq(invalidate, batched ? wait - 8 : wait, "%s", rows[i].call);
            arena_free(&a);
        }
}
