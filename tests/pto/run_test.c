/* SPDX-License-Identifier: MIT */
/*
 * What operations of `.pto` files leave in memory: each kernel runs with the assembler's
 * synchronisation, under sequential consistency and on the weak machine, and both runs must end
 * without a finding. What is expected follows from what the operation means (pto-facts 1.5, 3.1):
 * element i of an input is (5 i + 3 rank) % 7 + 1.
 */
#include "base/strbuf.h"
#include "models/contract.h"
#include "pto/compile.h"
#include "sim/driver.h"
#include "sim/oracle.h"
#include "tests/support.h"

#define T4     "!pto.tile_buf<vec, 4x8xi32>"
#define T1     "!pto.tile_buf<vec, 1x8xi32>"
#define V      "!pto.tensor_view<?x?xi32>"
#define P1     "!pto.partition_tensor_view<1x8xi32>"
#define P4     "!pto.partition_tensor_view<4x8xi32>"
#define LOAD4  "pto.tload ins(%pp : " P4 ") outs(%t : " T4 ")\n"
#define STORE4 "pto.tstore ins(%t : " T4 ") outs(%op : " P4 ")\n"
#define ROW(i)                                                                                     \
    "%row" #i " = pto.partition_view %pv, offsets = [%c" #i ", %c0], sizes = [%c1, %c8] : " V      \
    " -> " P1 "\n"
#define OUT(i)                                                                                     \
    "%out" #i " = pto.partition_view %ov, offsets = [%c" #i ", %c0], sizes = [%c1, %c8] : " V      \
    " -> " P1 "\n"
#define STAGE        "%s = pto.alloc_tile : " T1 "\n"
#define STAGES       STAGE "%s2 = pto.alloc_tile : " T1 "\n"
#define PUT(v, i)    "pto.store_scalar " v ", %o[%c" #i "] : !pto.ptr<i32>, i32\n"
#define S            "!pto.partition_tensor_view<1xi32>"
#define WAIT(how, v) "pto.comm.twait(%sig, " v " : " S ", i32) {cmp = #pto<wait_cmp " how ">}\n"
/* A number that only the run knows. */
#define RUN(n) "%r" #n " = arith.addi %zero, %c" #n " : index\n"

/* p holds 64 numbers, o is written; both have rows of 8, and o is zero first. */
static const char head[] =
    "module {\n  func.func @k(%p: !pto.ptr<i32>, %o: !pto.ptr<i32>, %zero: index, "
    "%sig: !pto.partition_tensor_view<1xi32>) attributes "
    "{pto.kernel_kind = #pto.kernel_kind<vector>} {\n"
    "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
    "%c2 = arith.constant 2 : index\n%c3 = arith.constant 3 : index\n"
    "%c4 = arith.constant 4 : index\n%c8 = arith.constant 8 : index\n"
    "%c16 = arith.constant 16 : index\n%ten = arith.constant 10 : i32\n"
    "%none = arith.constant 0 : i32\n"
    "%pv = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : " V "\n"
    "%ov = pto.make_tensor_view %o, shape = [%c4, %c8], strides = [%c8, %c1] : " V "\n"
    "%pp = pto.partition_view %pv, offsets = [%c0, %c0], sizes = [%c4, %c8] : " V " -> " P4 "\n"
    "%op = pto.partition_view %ov, offsets = [%c0, %c0], sizes = [%c4, %c8] : " V " -> " P4 "\n"
    "%t = pto.alloc_tile : " T4 "\n%z = pto.alloc_tile : " T4 "\n"
    "pto.texpands ins(%none : i32) outs(%z : " T4 ")\n"
    "pto.tstore ins(%z : " T4 ") outs(%op : " P4 ")\npto.barrier <PIPE_ALL>\n";

/* Rows of p: 1 6 4 2 7 5 3 1 / 6 4 2 7 5 3 1 6 / 4 2 7 5 3 1 6 4 / 2 7 5 3 1 6 4 2. */
static const struct {
    const char *name, *body;
    const char *rows[4]; /* of o; NULL: not looked at */
} kernels[] = {
    {"a load and a store",
     LOAD4 STORE4,
     {"1 6 4 2 7 5 3 1", "6 4 2 7 5 3 1 6", "4 2 7 5 3 1 6 4", "2 7 5 3 1 6 4 2"}},
    {"an array of the scalar unit",
     "%a = pto.declare_local_array -> !pto.local_array<4xi32>\n"
     "pto.local_array_set %a[%c1], %ten : !pto.local_array<4xi32>, i32\n"
     "pto.local_array_set %a[%c2], %none : !pto.local_array<4xi32>, i32\n"
     "%x = pto.local_array_get %a[%c1] : !pto.local_array<4xi32> -> i32\n" PUT("%x", 3),
     {"0 0 0 10 0 0 0 0"}},
    {"an array of two dimensions: its rows are its first one",
     "%a = pto.declare_local_array -> !pto.local_array<2x3xi32>\n"
     "%i1 = arith.constant 1 : i32\n%i2 = arith.constant 2 : i32\n"
     "pto.local_array_set %a[%c1, %c0], %i1 : !pto.local_array<2x3xi32>, i32\n"
     "pto.local_array_set %a[%c0, %c1], %i2 : !pto.local_array<2x3xi32>, i32\n"
     "%x = pto.local_array_get %a[%c0, %c1] : !pto.local_array<2x3xi32> -> i32\n"
     "%y = pto.local_array_get %a[%c1, %c0] : !pto.local_array<2x3xi32> -> i32\n" PUT("%x", 0)
         PUT("%y", 1),
     {"2 1 0 0 0 0 0 0"}},
    {"a transfer of three dimensions: two rows of every second pair",
     "%v3 = pto.make_tensor_view %p, shape = [%c2, %c2, %c8], strides = [%c16, %c8, %c1] : "
     "!pto.tensor_view<?x?x?xi32>\n"
     "%v4 = pto.make_tensor_view %p, shape = [%c2, %c2, %c4], strides = [%c16, %c8, %c1] : "
     "!pto.tensor_view<?x?x?xi32>\n"
     "%p3 = pto.partition_view %v4, offsets = [%c0, %c0, %c0], sizes = [%c2, %c2, %c4] : "
     "!pto.tensor_view<?x?x?xi32> -> !pto.partition_tensor_view<2x2x4xi32>\n"
     "%h = pto.alloc_tile : !pto.tile_buf<vec, 4x8xi32, valid=4x4>\n"
     "pto.tload ins(%p3 : !pto.partition_tensor_view<2x2x4xi32>) outs(%h : "
     "!pto.tile_buf<vec, 4x8xi32, valid=4x4>)\n"
     "%w = pto.partition_view %ov, offsets = [%c0, %c0], sizes = [%c4, %c4] : " V
     " -> !pto.partition_tensor_view<4x4xi32>\n"
     "pto.tstore ins(%h : !pto.tile_buf<vec, 4x8xi32, valid=4x4>) outs(%w : "
     "!pto.partition_tensor_view<4x4xi32>)\n",
     {"1 6 4 2 0 0 0 0", "6 4 2 7 0 0 0 0", "4 2 7 5 0 0 0 0", "2 7 5 3 0 0 0 0"}},
    {"dimensions that are not evenly spaced are pieces",
     RUN(2) "%v3 = pto.make_tensor_view %p, shape = [%c2, %c2, %c8], strides = [%c8, %c16, %c1] : "
            "!pto.tensor_view<?x?x?xi32>\n"
            "%p3 = pto.partition_view %v3, offsets = [%c0, %c0, %c0], sizes = [%r2, %c2, %c8] : "
            "!pto.tensor_view<?x?x?xi32> -> !pto.partition_tensor_view<?x2x8xi32>\n"
            "pto.tload ins(%p3 : !pto.partition_tensor_view<?x2x8xi32>) outs(%t : " T4 ")\n" STORE4,
     {"1 6 4 2 7 5 3 1", "4 2 7 5 3 1 6 4", "6 4 2 7 5 3 1 6", "2 7 5 3 1 6 4 2"}},
    {"a part of a tile at a place that the run computes: arithmetic",
     RUN(2) LOAD4 "%part = pto.subview %t[%r2, %c0] sizes [1, 8] : " T4 " -> " T1 "\n"
                  "pto.tadds ins(%part, %ten : " T1 ", i32) outs(%part : " T1 ")\n" STORE4,
     {"1 6 4 2 7 5 3 1", "6 4 2 7 5 3 1 6", "14 12 17 15 13 11 16 14", "2 7 5 3 1 6 4 2"}},
    {"such a part, stored and loaded",
     RUN(3) ROW(0) OUT(1) LOAD4 "%part = pto.subview %t[%r3, %c0] sizes [1, 8] : " T4 " -> " T1 "\n"
                                "pto.tstore ins(%part : " T1 ") outs(%out1 : " P1 ")\n"
                                "pto.tload ins(%row0 : " P1 ") outs(%part : " T1 ")\n"
                                "%low = pto.subview %t[%c3, %c0] sizes [1, 8] : " T4 " -> " T1
                                "\n" OUT(2) "pto.tstore ins(%low : " T1 ") outs(%out2 : " P1 ")\n",
     {"0 0 0 0 0 0 0 0", "2 7 5 3 1 6 4 2", "1 6 4 2 7 5 3 1"}},
    {"such a part, seen by the scalar unit",
     RUN(1) LOAD4 "%part = pto.subview %t[%r1, %c0] sizes [1, 8] : " T4 " -> " T1 "\n"
                  "%x = pto.tgetval ins(%part, %c3 : " T1 ", index) outs : i32\n"
                  "pto.tsetval ins(%c0, %ten : index, i32) outs(%part : " T1 ")\n"
                  "%y = pto.tgetval ins(%t, %c8 : " T4 ", index) outs : i32\n" PUT("%x", 0)
                      PUT("%y", 1),
     {"7 10 0 0 0 0 0 0"}},
    {"tiles of several slots",
     ROW(0) ROW(1) OUT(0) OUT(
         1) "%m = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 1x8xi32, count=2>\n"
            "%m0 = pto.multi_tile_get %m[%c0] : !pto.multi_tile_buf<vec, 1x8xi32, count=2> -> " T1
            "\n"
            "%m1 = pto.multi_tile_get %m[%c1] : !pto.multi_tile_buf<" T1 ", count=2> -> " T1 "\n"
            "pto.tload ins(%row0 : " P1 ") outs(%m0 : " T1 ")\n"
            "pto.tload ins(%row1 : " P1 ") outs(%m1 : " T1
            ")\n" RUN(1) "%mr = pto.multi_tile_get %m[%r1] : !pto.multi_tile_buf<vec, 1x8xi32, "
                         "count=2> -> " T1 "\n"
                         "pto.tstore ins(%mr : " T1 ") outs(%out0 : " P1 ")\n"
                         "pto.tstore ins(%m0 : " T1 ") outs(%out1 : " P1 ")\n",
     {"6 4 2 7 5 3 1 6", "1 6 4 2 7 5 3 1"}},
    {"extents",
     "%h = pto.alloc_tile : !pto.tile_buf<vec, 4x8xi32, valid=3x5>\n"
     "%a, %b = pto.get_validshape %h : !pto.tile_buf<vec, 4x8xi32, valid=3x5> -> index, index\n"
     "%d = pto.get_tensor_view_dim %ov, %c0 : " V " -> index\n"
     "%e = pto.get_tensor_view_stride %ov, %c0 : " V " -> index\n"
     "%x = arith.index_cast %a : index to i32\n%y = arith.index_cast %b : index to i32\n"
     "%u = arith.index_cast %d : index to i32\n%w = arith.index_cast %e : index to i32\n" PUT(
         "%x", 0) PUT("%y", 1) PUT("%u", 2) PUT("%w", 3),
     {"3 5 4 8 0 0 0 0"}},
    {"numbers without a sign become floats, and back",
     "%m1 = arith.constant -1 : i8\n%f = arith.uitofp %m1 : i8 to f32\n"
     "%x = arith.fptoui %f : f32 to i32\n%g = arith.sitofp %m1 : i8 to f32\n"
     "%y = arith.fptosi %g : f32 to i32\n"
     "%w = builtin.unrealized_conversion_cast %ten : i32 to ui32\n"
     "%v = builtin.unrealized_conversion_cast %w : ui32 to i32\n" PUT("%x", 0) PUT("%y", 1)
         PUT("%v", 2),
     {"255 -1 10 0 0 0 0 0"}},
    {"a broadcast: the root's part to every member",
     ROW(1) OUT(0) OUT(2) STAGE "pto.comm.tbroadcast(%row1, recv(%s), group(%out0, %out2) : " P1
                                ", " T1 ", " P1 ", " P1 ") {root = 0 : i32}\n",
     {"6 4 2 7 5 3 1 6", "0 0 0 0 0 0 0 0", "6 4 2 7 5 3 1 6"}},
    {"a gather: rank r's rows behind those of the others",
     ROW(1) ROW(0) ROW(3) STAGES
     "%o2 = pto.partition_view %ov, offsets = [%c1, %c0], sizes = [%c3, %c8] : " V
     " -> !pto.partition_tensor_view<3x8xi32>\n"
     "pto.comm.tgather(%o2, recv(%s, %s2), group(%row1, %row0, %row3) : "
     "!pto.partition_tensor_view<3x8xi32>, " T1 ", " T1 ", " P1 ", " P1 ", " P1
     ") {root = 0 : i32}\n",
     {"0 0 0 0 0 0 0 0", "6 4 2 7 5 3 1 6", "1 6 4 2 7 5 3 1", "2 7 5 3 1 6 4 2"}},
    {"a scatter: the other way",
     OUT(3) OUT(0) STAGE
     "%two = pto.partition_view %pv, offsets = [%c1, %c0], sizes = [%c2, %c8] : " V
     " -> !pto.partition_tensor_view<2x8xi32>\n"
     "pto.comm.tscatter(%two, recv(%s), group(%out3, %out0) : "
     "!pto.partition_tensor_view<2x8xi32>, " T1 ", " P1 ", " P1 ") {root = 0 : i32}\n",
     {"4 2 7 5 3 1 6 4", "0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 0", "6 4 2 7 5 3 1 6"}},
    {"a sum over members",
     ROW(0) ROW(1) ROW(2) OUT(0) STAGE
     "%acc = pto.alloc_tile : " T1 "\n"
     "pto.comm.treduce(%out0, %acc, recv(%s), group(%row0, %row1, %row2) : " P1 ", " T1 ", " T1
     ", " P1 ", " P1 ", " P1 ") {reduceOp = #pto<reduce_op sum>, root = 1 : i32}\n",
     {"11 12 13 14 15 9 10 11"}},
    {"a maximum over members, two tiles in turn",
     ROW(0) ROW(1) ROW(2) OUT(0) STAGES
     "%acc = pto.alloc_tile : " T1 "\n"
     "pto.comm.treduce(%out0, %acc, recv(%s, %s2), group(%row0, %row1, %row2) : " P1 ", " T1 ", " T1
     ", " T1 ", " P1 ", " P1 ", " P1 ") {reduceOp = #pto<reduce_op max>, root = 0 : i32}\n",
     {"6 6 7 7 7 5 6 6"}},
    /* Indices are the first rows of p: 1 6 4 2 7 5 3 1. */
    {"a gather of rows",
     ROW(0) STAGE
     "%g = pto.alloc_tile : !pto.tile_buf<vec, 8x8xi32>\n"
     "pto.tload ins(%row0 : " P1 ") outs(%s : " T1 ")\n"
     "pto.mgather ins(%pp, %s : " P4 ", " T1 ") outs(%g : !pto.tile_buf<vec, 8x8xi32>) "
     "{coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>}\n"
     "%low = pto.subview %g[%c0, %c0] sizes [4, 8] : !pto.tile_buf<vec, 8x8xi32> -> " T4 "\n"
     "pto.tstore ins(%low : " T4 ") outs(%op : " P4 ")\n",
     {"6 4 2 7 5 3 1 6", "2 7 5 3 1 6 4 2", "2 7 5 3 1 6 4 2", "4 2 7 5 3 1 6 4"}},
    {"a gather of elements, of which those past the end are 0",
     ROW(0) ROW(1) OUT(0) OUT(1) STAGES
     "%few = pto.partition_view %pv, offsets = [%c0, %c0], sizes = [%c1, %c4] : " V
     " -> !pto.partition_tensor_view<1x4xi32>\n"
     "pto.tload ins(%row0 : " P1 ") outs(%s : " T1 ")\n"
     "pto.mgather ins(%few, %s : !pto.partition_tensor_view<1x4xi32>, " T1 ") outs(%s2 : " T1
     ") {coalesce = #pto<coalesce elem>, gatherOob = #pto<gather_oob zero>}\n"
     "pto.tstore ins(%s2 : " T1 ") outs(%out0 : " P1 ")\n"
     "pto.mgather ins(%row1, %s : " P1 ", " T1 ") outs(%s2 : " T1
     ") {coalesce = #pto<coalesce elem>}\n"
     "pto.tstore ins(%s2 : " T1 ") outs(%out1 : " P1 ")\n",
     {"6 0 0 4 0 0 2 6", "4 1 5 2 6 3 7 4"}},
    {"a scatter of elements: the last one of a place stays",
     ROW(0) ROW(1) OUT(2) STAGES "pto.tload ins(%row0 : " P1 ") outs(%s : " T1 ")\n"
                                 "pto.tload ins(%row1 : " P1 ") outs(%s2 : " T1 ")\n"
                                 "pto.mscatter ins(%s2, %s : " T1 ", " T1 ") outs(%out2 : " P1
                                 ") {coalesce = #pto<coalesce elem>}\n",
     {"0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 0", "0 6 7 1 2 3 4 5"}},
    {"waits: each holds as soon as the own notify is there, or from the start",
     WAIT("lt", "%ten")
         WAIT("le", "%none") "pto.comm.tnotify(%sig, %ten : " S
                             ", i32) {notifyOp = #pto<notify_op atomic_add>}\n" WAIT("ne", "%none")
                                 WAIT("gt", "%none") WAIT("le", "%ten") WAIT("eq", "%ten")
                                     PUT("%ten", 0),
     {"10 0 0 0 0 0 0 0"}},
    {"printing changes nothing",
     LOAD4 "pto.tprint ins(%t : " T4 ")\npto.tprint ins(%pp : " P4 ")\n" STORE4,
     {"1 6 4 2 7 5 3 1"}},
    {"events by what works",
     LOAD4 "pto.record_event [#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TSTORE_VEC>, "
           "#pto.event<EVENT_ID3>]\n"
           "pto.wait_event [#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TSTORE_VEC>, "
           "#pto.event<EVENT_ID3>]\n" STORE4,
     {"1 6 4 2 7 5 3 1"}},
};

static enum pto_answer given(void *ctx, const char *name, int rank, int64_t *out, struct diag *d)
{
    (void)ctx, (void)rank, (void)d;
    *out = 0;
    return strcmp(name, "zero") ? PTO_UNKNOWN : PTO_GIVEN;
}

static const struct program *compile(struct arena *a, const char *name, const char *text)
{
    struct diag d = {.arena = a};
    const struct toolchain *t = toolchain_load(a, "models", "ptoas-0.57", &d);
    struct pto_options o = {.toolchain = t, .nranks = 1, .value = given};
    const struct pto_file *f = t ? pto_read(a, source_from_string(a, "k.pto", text), &d) : NULL;
    const struct program *p = f ? pto_compile(a, f, &o, &d) : NULL;
    cr_assert(p, "%s: %s", name, diag_text(&d, a));
    return p;
}

static struct machine *run(struct arena *a, const char *name, const struct program *p,
                           const char *model)
{
    struct diag d = {.arena = a};
    const struct contract *c = contract_load(a, "models", model, &d);
    cr_assert(c, "%s", diag_text(&d, a));
    struct drive_options drive = {.seed = 1, .max_transitions = 1000 * 1000};
    struct drive_result result = {0};
    struct oracle *o = oracle_new(p);
    struct machine *m = machine_new(p, c, (struct machine_options){.oracle = o, .kernel = true});
    machine_reset(m);
    drive_timed(m, &drive, &result);
    oracle_finish(o, m);
    int n;
    const struct finding *f = oracle_findings(o, &n);
    cr_expect(!result.timed_out && n == 0, "%s under %s: %s", name, model,
              n ? verdict_name(f[0].verdict) : "does not end");
    oracle_free(o);
    return m;
}

static const char *row_of(struct arena *a, const struct machine *m, const struct region *r, int row)
{
    struct strbuf b = strbuf_make(a);
    for (int i = 0; i < 8; i++) {
        int32_t word;
        memcpy(&word, m->gm[0] + r->offset + 4 * (8 * row + i), sizeof word);
        strbuf_addf(&b, "%s%d", i ? " " : "", word);
    }
    return b.text;
}

Test(pto_run, memory)
{
    static const char *const models[] = {"sc", "a2a3"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct arena a = {0};
        const char *name = kernels[i].name;
        const struct program *p =
            compile(&a, name, arena_printf(&a, "%s%s  return\n  }\n}\n", head, kernels[i].body));
        const struct region *out = NULL;
        for (int k = 0; k < p->nregions; k++)
            out = strcmp(p->regions[k].name, "o") ? out : &p->regions[k];
        cr_assert(out, "%s", name);
        for (int k = 0; k < 2; k++) {
            struct machine *m = run(&a, name, p, models[k]);
            for (int row = 0; row < 4 && kernels[i].rows[row]; row++)
                expect_text(arena_printf(&a, "%s, %s, row %d", name, models[k], row),
                            row_of(&a, m, out, row), kernels[i].rows[row]);
            machine_free(m);
        }
        arena_free(&a);
    }
}
