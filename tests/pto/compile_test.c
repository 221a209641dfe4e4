/* SPDX-License-Identifier: MIT */
/*
 * From `.pto` text to machine programs: which instructions an operation becomes (pto-facts 3.1, 3.3),
 * whose a marker is, what arguments are, what numbers are, and what is refused.
 */
#include <glob.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "pto/compile.h"
#include "tests/support.h"

/* ---- compiling ---- */

static const struct toolchain plain = {
    .name = "plain", .region_cacheinvalid = REGION_BASE_LINE, .fence = FENCE_ALL};

static enum pto_answer given(void *ctx, const char *name, int rank, int64_t *out, struct diag *d)
{
    (void)d;
    const char *known = ctx ? ctx : "";
    *out = rank;
    size_t n = strlen(name);
    for (const char *p = known; (p = strstr(p, name)); p += n)
        if ((p == known || p[-1] == ';') && p[n] == '=') {
            *out = strncmp(p + n + 1, "rank", 4) ? strtoll(p + n + 1, NULL, 10) : rank;
            return PTO_GIVEN;
        }
    return PTO_UNKNOWN;
}

/* values: "arg4=1;size arg2=64". */
static struct program *compile(struct arena *a, const char *text, const char *values,
                               struct diag *d)
{
    *d = (struct diag){.arena = a};
    struct pto_options o = {
        .toolchain = &plain, .nranks = 2, .value = given, .ctx = (void *)values};
    struct pto_file *f = pto_read(a, source_from_string(a, "k.pto", text), d);
    return f ? pto_compile(a, f, &o, d) : NULL;
}

static struct program *must_compile(struct arena *a, const char *text, const char *values)
{
    struct diag d;
    struct program *p = compile(a, text, values, &d);
    cr_assert(p, "%s", diag_text(&d, a));
    return p;
}

/* A function of that kind: p is a window whose copy on a peer is q's, s its signal, o another tensor. */
static char *kernel_of(struct arena *a, const char *kind, const char *body)
{
    static const char head[] =
        "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
        "  %%c2 = arith.constant 2 : index\n  %%c4 = arith.constant 4 : index\n"
        "  %%c16 = arith.constant 16 : index\n  %%a0 = arith.constant 0 : i64\n"
        "  %%a4 = arith.constant 4 : i64\n  %%one = arith.constant 1 : i32\n"
        "  %%x = pto.load_scalar %%c[%%c4] : !pto.ptr<i64> -> i64\n"
        "  %%y = pto.load_scalar %%c[%%c4] : !pto.ptr<i64> -> i64\n"
        "  %%z = arith.subi %%x, %%y : i64\n  %%w = arith.divsi %%z, %%a4 : i64\n"
        "  %%dx = arith.index_cast %%w : i64 to index\n"
        "  %%q = pto.addptr %%p, %%dx : !pto.ptr<i32> -> !pto.ptr<i32>\n"
        "  %%pv = pto.make_tensor_view %%p, shape = [%%c1, %%c16], strides = [%%c16, %%c1] : "
        "!pto.tensor_view<?x?xi32>\n"
        "  %%qv = pto.make_tensor_view %%q, shape = [%%c1, %%c16], strides = [%%c16, %%c1] : "
        "!pto.tensor_view<?x?xi32>\n"
        "  %%ov = pto.make_tensor_view %%o, shape = [%%c1, %%c16], strides = [%%c16, %%c1] : "
        "!pto.tensor_view<?x?xi32>\n"
        "  %%pp = pto.partition_view %%pv, offsets = [%%c0, %%c0], sizes = [%%c1, %%c16] : "
        "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x16xi32>\n"
        "  %%qp = pto.partition_view %%qv, offsets = [%%c0, %%c0], sizes = [%%c1, %%c16] : "
        "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x16xi32>\n"
        "  %%op = pto.partition_view %%ov, offsets = [%%c0, %%c0], sizes = [%%c1, %%c16] : "
        "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x16xi32>\n"
        "  %%t = pto.alloc_tile addr = %%a0 : !pto.tile_buf<vec, 1x16xi32>\n"
        "  %%m = pto.alloc_tile addr = %%a0 : !pto.tile_buf<acc, 1x16xi32>\n";
    const char *attributes =
        *kind ? arena_printf(a, " attributes {pto.kernel_kind = #pto.kernel_kind<%s>}", kind) : "";
    return arena_printf(a,
                        arena_printf(a,
                                     "module {\n  func.func @k(%%%%p: !pto.ptr<i32>, %%%%o: "
                                     "!pto.ptr<i32>, %%%%c: !pto.ptr<i64>)%%s {\n%s%%s\n  "
                                     "return\n  }\n}\n",
                                     head),
                        attributes, body);
}

/* What reaches memory, orders or works on tiles, behind the two loads of the head. */
static const char *steps(struct arena *a, const struct program *p)
{
    const struct code *c = p->cores[0].code;
    struct strbuf b = strbuf_make(a);
    int loads = 0;
    for (int i = 0; i < c->count; i++) {
        const struct insn *x = &c->insns[i];
        if (insn_any(x, CLASS_LOCAL | CLASS_TASK) || (x->op == I_LD && loads++ < 2))
            continue;
        strbuf_addf(&b, "%s%s", b.len ? ", " : "", insn_op_name((enum insn_op)x->op));
        if (x->op == I_BARRIER)
            strbuf_addf(&b, " %s", pipe_name((enum pipe)x->pa));
        if (insn_any(x, CLASS_FLAG))
            strbuf_addf(&b, " %s>%s", pipe_name((enum pipe)x->pa), pipe_name((enum pipe)x->pb));
    }
    return b.len ? b.text : "";
}

/* ---- which instructions ---- */

#define T     "!pto.tile_buf<vec, 1x16xi32>"
#define M     "!pto.tile_buf<acc, 1x16xi32>"
#define P     "!pto.partition_tensor_view<1x16xi32>"
#define LOAD  "pto.tload ins(%pp : " P ") outs(%t : " T ")\n"
#define STORE "pto.tstore ins(%t : " T ") outs(%pp : " P ")\n"
#define PUT                                                                                        \
    "pto.comm.tput(%qp, %op, buf(%t) : " P ", " P ", " T                                           \
    ") {atomicType = #pto<atomic_type atomic_none>}\n"
#define WAIT   "pto.comm.twait(%pp, %one : " P ", i32) {cmp = #pto<wait_cmp ge>}\n"
#define NOTIFY "pto.comm.tnotify(%qp, %one : " P ", i32) {notifyOp = #pto<notify_op atomic_add>}\n"
#define LINE   "pto.cmo.cacheinvalid %pp single_cache_line : " P "\n"
#define PEER   "pto.cmo.cacheinvalid %qp single_cache_line : " P "\n"
#define WHOLE  "pto.cmo.cacheinvalid all #pto.address_space<gm>\n"
#define FENCE  "pto.fence.barrier_all #pto.fence_scope<gm>\n"
#define BAR    "pto.barrier <PIPE_ALL>\n"

static const struct {
    const char *name, *kind, *body, *steps;
} lowered[] = {
    {"a load and a store", "vector", LOAD STORE, "mte2, mte3"},
    {"a store of the accumulator", "cube", "pto.tstore ins(%m : " M ") outs(%pp : " P ")", "fix"},
    {"scalar accesses in both spellings", "vector",
     "%u = pto.load_scalar %o[%c1] : !pto.ptr<i32> -> i32\npto.store %u, %o[%c2] : !pto.ptr<i32>, "
     "i32",
     "ld, st"},
    {"a notify: the library's own steps, nothing in front", "vector", NOTIFY,
     "dcci, st.atomic, dcci, dsb, barrier all"},
    {"a notify that sets", "vector",
     "pto.comm.tnotify(%qp, %one : " P ", i32) {notifyOp = #pto<notify_op set>}",
     "dcci, st, dcci, dsb, barrier all"},
    {"a wait, nothing behind it", "vector", WAIT, "poll"},
    {"one look at a signal", "vector",
     "%u = pto.comm.ttest(%pp, %one : " P ", i32) {cmp = #pto<wait_cmp ge>} -> i1", "ld.dev"},
    {"a put: its flags alone", "vector", PUT,
     "mte2, set_flag mte2>mte3, wait_flag mte2>mte3, mte3, set_flag mte3>mte2, wait_flag "
     "mte3>mte2"},
    {"one line, however large the view", "vector", LINE, "dcci"},
    {"the whole cache", "vector", WHOLE, "dcci all"},
    {"a fence of a vector kernel", "vector", FENCE, "barrier all, dsb"},
    {"a fence of a cube kernel", "cube", FENCE, "barrier mte2, barrier mte3, barrier fix, dsb"},
    {"a fence where nobody says the kind", "", FENCE,
     "barrier mte2, barrier mte3, barrier fix, dsb"},
    {"barriers in a row are kept", "vector", "pto.barrier <PIPE_V>\npto.barrier <PIPE_MTE3>",
     "barrier v, barrier mte3"},
    {"flags of the file's own", "vector",
     "pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID3>]\npto.wait_flag[<PIPE_MTE2>, <PIPE_V>, "
     "<EVENT_ID3>]",
     "set_flag mte2>v, wait_flag mte2>v"},
    {"arithmetic on tiles", "vector", "pto.tadd ins(%t, %t : " T ", " T ") outs(%t : " T ")",
     "tile"},
    {"an operation that no table has, on tiles alone", "vector",
     "pto.tbrandnew ins(%t, %one : " T ", i32) outs(%t : " T ") {mode = 1 : i32}", "tile"},
    {"how far a merge came is asked by nobody", "vector",
     "%u = arith.constant dense<0> : vector<4xi16>\n"
     "pto.tbrandnew ins(%t, %t : " T ", " T ") outs(%t, %u : " T ", vector<4xi16>)",
     "tile"},
    {"an insertion in the quoted form", "vector",
     "\"pto.tinsert\"(%t, %c0, %c0, %t) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : "
     "(" T ", index, index, " T ") -> ()",
     "tile"},
    {"views make no code", "vector", "", ""},
};

Test(pto_compile, instructions)
{
    for (size_t i = 0; i < sizeof lowered / sizeof *lowered; i++) {
        struct arena a = {0};
        struct program *p = must_compile(&a, kernel_of(&a, lowered[i].kind, lowered[i].body), "");
        expect_text(lowered[i].name, steps(&a, p), lowered[i].steps);
        arena_free(&a);
    }
}

/* What a wait compares with 5: greater is at least one more. */
static const struct {
    const char *how;
    enum cmp cmp;
    int64_t with;
} waits[] = {{"eq", CMP_EQ, 5}, {"ne", CMP_NE, 5}, {"ge", CMP_GE, 5},
             {"gt", CMP_GE, 6}, {"lt", CMP_LT, 5}, {"le", CMP_LE, 5}};

Test(pto_compile, waits)
{
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        struct arena a = {0};
        const char *body =
            arena_printf(&a,
                         "%%five = arith.constant 5 : i32\n"
                         "pto.comm.twait(%%pp, %%five : " P ", i32) {cmp = #pto<wait_cmp %s>}\n",
                         waits[i].how);
        const struct code *c = must_compile(&a, kernel_of(&a, "vector", body), "")->cores[0].code;
        for (int k = 0; k < c->count; k++)
            if (c->insns[k].op == I_POLL)
                cr_expect(c->insns[k].sub == waits[i].cmp && c->insns[k].imm2 == waits[i].with,
                          "%s: %s %lld", waits[i].how, cmp_name((enum cmp)c->insns[k].sub),
                          (long long)c->insns[k].imm2);
        arena_free(&a);
    }
}

/* ---- whose a marker is ---- */

static const struct {
    const char *name, *body, *sites;
} origins[] = {
    {"an own write", STORE LINE FENCE,
     "W1 region cacheinvalid, W1 fence: barrier all, W1 fence: dsb"},
    {"an own scalar write", "pto.store_scalar %one, %p[%c1] : !pto.ptr<i32>, i32\n" LINE FENCE,
     "W1 region cacheinvalid, W1 fence: barrier all, W1 fence: dsb"},
    {"a put", BAR PUT BAR PEER FENCE,
     "codegen barrier before TPUT, codegen barrier after TPUT, codegen peer cacheinvalid, W2 "
     "fence: "
     "barrier all, W2 fence: dsb"},
    {"a store to a peer", "pto.tstore ins(%t : " T ") outs(%qp : " P ")\n" PEER FENCE,
     "codegen peer cacheinvalid, W2 fence: barrier all, W2 fence: dsb"},
    {"in front of a notify", BAR NOTIFY, "codegen barrier before TNOTIFY"},
    {"behind a wait", WAIT WHOLE, "R1 cacheinvalid all"},
    {"once behind a loop of waits", "scf.for %i = %c0 to %c2 step %c1 {\n" WAIT "}\n" WHOLE,
     "R1 cacheinvalid all"},
    {"behind a loop of waits for all but one",
     "scf.for %i = %c0 to %c2 step %c1 {\n%u = arith.cmpi ne, %i, %c1 : index\nscf.if %u {\n" WAIT
     "}\n}\n" WHOLE,
     "R1 cacheinvalid all"},
    {"behind a loop that does not wait",
     "scf.for %i = %c0 to %c2 step %c1 {\n%u = arith.cmpi ne, %i, %c1 : index\n}\n" WHOLE,
     "by hand cacheinvalid all"},
    {"behind a loop that does more", "scf.for %i = %c0 to %c2 step %c1 {\n" WAIT LOAD "}\n" WHOLE,
     "by hand cacheinvalid all"},
    {"behind a call", WHOLE FENCE, "W3 cacheinvalid all, W3 fence: barrier all, W3 fence: dsb"},
    {"a fence alone, a barrier alone", LOAD BAR LOAD FENCE,
     "by hand barrier, by hand fence: barrier all, by hand fence: dsb"},
};

Test(pto_compile, origins)
{
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        struct arena a = {0};
        struct strbuf b = strbuf_make(&a);
        struct program *p = must_compile(&a, kernel_of(&a, "vector", origins[i].body), "");
        for (int s = 0; s < p->nsites; s++)
            if (p->sites[s].origin != ORIGIN_MACRO)
                strbuf_addf(&b, "%s%s %s", b.len ? ", " : "", origin_name(p->sites[s].origin),
                            p->sites[s].what);
        expect_text(origins[i].name, b.len ? b.text : "", origins[i].sites);
        arena_free(&a);
    }
}

/* ---- numbers ---- */

static const struct {
    const char *body; /* defines %r */
    int64_t value;
} numbers[] = {
    {"%u = arith.constant 4294967297 : i64\n%r = arith.trunci %u : i64 to i32", 1},
    {"%u = arith.constant 2147483648 : i64\n%r = arith.trunci %u : i64 to i32", -2147483648LL},
    {"%u = arith.constant -7 : i32\n%v = arith.constant 2 : i32\n%r = arith.divsi %u, %v : i32",
     -3},
    {"%u = arith.constant -7 : i32\n%v = arith.constant 2 : i32\n%r = arith.remsi %u, %v : i32",
     -1},
    {"%u = arith.constant -1 : i32\n%v = arith.constant 28 : i32\n%r = arith.shrui %u, %v : i32",
     15},
    {"%u = arith.constant -1 : i32\n%v = arith.constant 28 : i32\n%r = arith.shrsi %u, %v : i32",
     -1},
    {"%u = arith.constant -1 : i64\n%v = arith.constant 32 : i64\n%w1 = arith.shrui %u, %v : i64\n"
     "%r = arith.trunci %w1 : i64 to i32",
     -1},
    {"%u = arith.constant -1 : i32\n%v = arith.cmpi ult, %u, %one : i32\n"
     "%r = arith.extui %v : i1 to i32",
     0},
    {"%u = arith.constant -1 : i32\n%v = arith.cmpi slt, %u, %one : i32\n"
     "%r = arith.extui %v : i1 to i32",
     1},
    {"%u = arith.constant true\n%v = arith.constant 5 : i32\n"
     "%r = arith.select %u, %v, %one : i32",
     5},
    {"%u = arith.constant 2.5 : f32\n%v = arith.addf %u, %u : f32\n"
     "%r = arith.fptosi %v : f32 to i32",
     5},
    {"%u = arith.constant 0x40200000 : f32\n%r = arith.fptosi %u : f32 to i32", 2},
    {"%u = arith.constant -3 : i8\n%r = arith.extui %u : i8 to i32", 253},
    {"%u = arith.constant 2147483647 : i32\n%r = arith.addi %u, %one : i32", -2147483648LL},
    {"%u = arith.constant -2147483648 : i32\n%r = arith.subi %u, %one : i32", 2147483647},
    {"%u = arith.constant 65536 : i32\n%r = arith.muli %u, %u : i32", 0},
    {"%u = arith.constant 2147483647 : i64\n%v = arith.constant 1 : i64\n"
     "%w1 = arith.addi %u, %v : i64\n%w2 = arith.shrsi %w1, %v : i64\n"
     "%r = arith.trunci %w2 : i64 to i32",
     1073741824},
    {"%r = \"arith.constant\"() <{value = 9 : i32}> : () -> i32", 9},
};

Test(pto_compile, numbers)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct arena a = {0};
        struct program *p = must_compile(
            &a,
            kernel_of(&a, "vector",
                      arena_printf(&a, "%s\npto.store_scalar %%r, %%o[%%c1] : !pto.ptr<i32>, i32",
                                   numbers[i].body)),
            "");
        const struct code *c = p->cores[0].code;
        for (int k = 0; k < c->count; k++)
            if (c->insns[k].op == I_ST)
                cr_expect(c->insns[k].rb == NO_REG && c->insns[k].imm2 == numbers[i].value,
                          "%s\nis %lld", numbers[i].body, (long long)c->insns[k].imm2);
        arena_free(&a);
    }
}

/* ---- arguments ---- */

static const char *regions_of(struct arena *a, const struct program *p)
{
    static const char *const kinds[] = {
        [REGION_WINDOW] = "window", [REGION_LOCAL] = "local", [REGION_CTX] = "ctx"};
    struct strbuf b = strbuf_make(a);
    for (int i = 0; i < p->nregions; i++)
        strbuf_addf(&b, "%s%s %s %llu", b.len ? ", " : "", kinds[p->regions[i].kind],
                    p->regions[i].name, (unsigned long long)p->regions[i].size);
    return b.text;
}

static char *file_text(struct arena *a, const char *path)
{
    struct diag d = {.arena = a};
    const struct source *s = source_read(a, path, &d);
    cr_assert(s, "%s", diag_text(&d, a));
    return arena_strdup(a, s->text);
}

/* arg1 is moved by what arg4 says, so that arg4 is its context; arg3 is that of what is left. */
Test(pto_compile, windows_and_contexts)
{
    struct arena a = {0};
    char *text = file_text(&a, "tests/files/pto/ping.pto");
    struct program *p = must_compile(&a, text, "arg2=rank");
    expect_text("ping", regions_of(&a, p),
                "window data 256, window arg1 8, ctx data_ctx 48, ctx arg1_ctx 48");
    arena_free(&a);
}

Test(pto_compile, unknown_arguments_are_listed)
{
    struct arena a = {0};
    struct diag d;
    cr_assert(!compile(&a, file_text(&a, "tests/files/pto/ping.pto"), "", &d));
    expect_text("ping", d.message,
                "no value for arg2 (i32; used by arith.index_cast on line 23); give --arg "
                "arg2=EXPRESSION or a line '// fencebench: arg arg2=EXPRESSION'");
    arena_free(&a);
}

/* Equal and overlapping addresses of one space are one storage; other spaces are their own. */
Test(pto_compile, tiles_alias_by_address)
{
    struct arena a = {0};
    struct program *p =
        must_compile(&a,
                     kernel_of(&a, "vector",
                               "%a32 = arith.constant 32 : i64\n%a128 = arith.constant 128 : i64\n"
                               "%t2 = pto.alloc_tile addr = %a32 : !pto.tile_buf<vec, 1x16xi32>\n"
                               "%t3 = pto.alloc_tile addr = %a128 : !pto.tile_buf<vec, 1x16xi32>"),
                     "");
    const struct code *c = p->cores[0].code;
    int home[4], n = 0;
    static const char *const names[] = {"t", "t2", "t3", "m"};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < c->ntiles; i++)
            if (!strcmp(c->tiles[i].name, names[k]) &&
                (c->tiles[i].view_of || c->tiles[i].rows * c->tiles[i].cols == 16)) {
                home[k] = tile_home(c->tiles, i);
                n++;
            }
    cr_assert(n == 4, "%d tiles", n);
    cr_expect(home[0] == home[1]);
    cr_expect(home[2] != home[0] && home[3] != home[0] && home[3] != home[2]);
    arena_free(&a);
}

/* ---- arguments that are no pointers ---- */

/* A view is a dense buffer, of the elements that its type says; a tile lies in the core. */
static const struct {
    const char *argument, *body;
    const char *regions; /* or the error, where nothing can be bound */
} bound[] = {
    {"%v: !pto.partition_tensor_view<4x16xf32>", "", "local v 256"},
    {"%v: !pto.tensor_view<2x3x4xi8>", "", "local v 24"},
    {"%v: !pto.partition_tensor_view<2xi32>, %n: i32",
     "pto.comm.tnotify(%v, %n : !pto.partition_tensor_view<2xi32>, i32) {notifyOp = "
     "#pto<notify_op set>}\n",
     "window v 8, ctx v_ctx 48"},
    {"%v: !pto.tile_buf<vec, 4x16xf32>, %w: !pto.partition_tensor_view<4x16xf32>",
     "pto.tstore ins(%v : !pto.tile_buf<vec, 4x16xf32>) outs(%w : "
     "!pto.partition_tensor_view<4x16xf32>)\n",
     "local w 256"},
    {"%v: !pto.partition_tensor_view<16x16xf8E4M3FN>", "", "local v 256"},
    {"%v: !pto.partition_tensor_view<?x16xf32>", "", "local v 64"},
    {"%v: !pto.partition_tensor_view<?x?x16xf32>", "",
     "an argument of type !pto.partition_tensor_view<?x?x16xf32> is not run: its extents must be "
     "known, but for one"},
    {"%v: memref<16xf32>", "",
     "an argument of type memref<16xf32> is not run: a memref belongs to a later stage of the "
     "assembler"},
    {"%v: vector<4xi32>", "",
     "an argument of type vector<4xi32> is not run: a vector is of the micro-ISA"},
    {"%v: !pto.struct<i32>", "",
     "an argument of type !pto.struct<i32> is not run: expected a pointer, a view, a tile or a "
     "scalar"},
};

Test(pto_compile, arguments)
{
    for (size_t i = 0; i < sizeof bound / sizeof *bound; i++) {
        struct arena a = {0};
        struct diag d;
        const char *text = arena_printf(&a, "module {\n  func.func @k(%s) {\n%s  return\n  }\n}\n",
                                        bound[i].argument, bound[i].body);
        const struct program *p = compile(&a, text, "n=1", &d);
        expect_text(bound[i].argument, p ? regions_of(&a, p) : d.message, bound[i].regions);
        arena_free(&a);
    }
}

/* Elements that the machine has no arithmetic for are moved, and what computes with them is
 * uninterpreted. */
static const struct {
    const char *elem;
    enum tile_op_kind kind;
} computed[] = {{"f32", TILE_ADD}, {"f8E4M3FN", TILE_UNINTERPRETED}, {"ui8", TILE_ADD}};

Test(pto_compile, low_precision)
{
    for (size_t i = 0; i < sizeof computed / sizeof *computed; i++) {
        struct arena a = {0};
        const char *t = arena_printf(&a, "!pto.tile_buf<vec, 4x32x%s>", computed[i].elem);
        struct program *p = must_compile(
            &a,
            arena_printf(&a,
                         "module {\n  func.func @k(%%t: %s) {\n"
                         "pto.tadd ins(%%t, %%t : %s, %s) outs(%%t : %s)\n  return\n  }\n}\n",
                         t, t, t, t),
            "");
        const struct code *c = p->cores[0].code;
        cr_assert(c->ntile_ops == 1, "%s", computed[i].elem);
        cr_expect(c->tile_ops[0].kind == computed[i].kind, "%s: %d", computed[i].elem,
                  c->tile_ops[0].kind);
        arena_free(&a);
    }
}

#define F32 "!pto.tile_buf<vec, 4x32xf32>"

/* Arithmetic that nobody has written down reads all that it is given: it is no copy of the first tile. */
static const struct {
    const char *op, *to;
    int reads;
} unknown_arithmetic[] = {
    {"pto.tbrandnew ins(%t, %u : " F32 ", " F32 ")", F32, 2},
    {"pto.tmatmul.acc ins(%t, %u, %u : " F32 ", " F32 ", " F32 ")", F32, 3},
    {"pto.tmov ins(%t, %u : " F32 ", " F32 ")", F32, 2},
    {"pto.tfillpad ins(%t : " F32 ")", "!pto.tile_buf<vec, 4x32xf32, pad=2>", 1},
};

Test(pto_compile, unknown_arithmetic)
{
    for (size_t i = 0; i < sizeof unknown_arithmetic / sizeof *unknown_arithmetic; i++) {
        struct arena a = {0};
        struct program *p = must_compile(
            &a,
            arena_printf(&a,
                         "module {\n  func.func @k(%%t: " F32 ", %%u: " F32 ", %%v: %s) {\n"
                         "%s outs(%%v : %s)\n  return\n  }\n}\n",
                         unknown_arithmetic[i].to, unknown_arithmetic[i].op,
                         unknown_arithmetic[i].to),
            "");
        const struct code *c = p->cores[0].code;
        cr_assert(c->ntile_ops == 1, "%s", unknown_arithmetic[i].op);
        cr_expect(c->tile_ops[0].kind == TILE_UNINTERPRETED &&
                      c->tile_ops[0].nsrc == unknown_arithmetic[i].reads,
                  "%s: kind %d, of %d", unknown_arithmetic[i].op, c->tile_ops[0].kind,
                  c->tile_ops[0].nsrc);
        arena_free(&a);
    }
}

/* ---- refusals ---- */

static const struct {
    const char *body, *error;
} refused[] = {
    {"pto.brandnew %p : !pto.ptr<i32>",
     "operation 'pto.brandnew' is read but not run: no such operation is known; is it newer than "
     "2026-08?"},
    {"pto.tgatherb ins(%t, %pp : " T ", " P ") outs(%t : " T ")",
     "operation 'pto.tgatherb' is read but not run: no such operation is known; is it newer than "
     "2026-08?"},
    {"pto.comm.treduce(%pp, %t, recv(%t), group(%qp) : " P ", " T ", " T ", " P
     ") {reduceOp = #pto<reduce_op sum>, root = 1 : i32}",
     "expected root = a member of group(...)"},
    {"pto.comm.treduce(%pp, %t, recv(%t), group(%qp) : " P ", " T ", " T ", " P
     ") {reduceOp = #pto<reduce_op mean>, root = 0 : i32}",
     "reduceOp is 'sum', 'max' or 'min', not 'mean'"},
    {"pto.comm.tgather(%pp, recv(%t), group() : " P ", " T ") {root = 0 : i32}",
     "expected the parts of the ranks in group(...)"},
    {"%u = pto.comm.build_async_session(%pp : " P ") -> !pto.async_session",
     "operation 'pto.comm.build_async_session' is read but not run: the asynchronous engine is "
     "not modelled"},
    {"pto.mgather ins(%pp, %t : " P ", " T ") outs(%t : " T ") {coalesce = #pto<coalesce elem>, "
     "gatherOob = #pto<gather_oob throw>}",
     "gatherOob is 'undefined', 'clamp', 'wrap' or 'zero', not 'throw'"},
    {"%f = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>\n"
     "pto.mgather ins(%pp, %f : " P ", !pto.tile_buf<vec, 1x16xf32>) outs(%t : " T
     ") {coalesce = #pto<coalesce elem>}",
     "indices are i32, not fp32"},
    {"pto.mscatter ins(%t, %t : " T ", " T ") outs(%pp : " P ") {coalesce = #pto<coalesce row>}",
     "a scatter of rows, one that adds or that skips is of the A5, and not run"},
    {"%u = pto.tile_buf_addr %t : " T " -> !pto.ptr<i32, ub>",
     "operation 'pto.tile_buf_addr' is read but not run: addresses as numbers are not modelled"},
    {"pto.set_quant_scalar(%one : i32) {id = 0}",
     "operation 'pto.set_quant_scalar' is read but not run: quantisation by a state of the core is "
     "not modelled"},
    {"%u = pto.declare_eventid_array -> !pto.eventid_array<2>",
     "operation 'pto.declare_eventid_array' is read but not run: a flag has a constant number; "
     "arrays of events are not modelled"},
    {"%u = arith.index_cast %w : i64 to index\n"
     "pto.set_flag_dyn [#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_MTE3>, %u]",
     "the number of an event must be known before the run"},
    {"pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID99>]",
     "an event stands between two pipes and has a number below 16"},
    {"%u = scf.if %one -> (" T ") {\nscf.yield %t : " T "\n} else {\nscf.yield %t : " T "\n}",
     "which tile a name stands for must be known before the run"},
    {"%u = pto.declare_local_array -> !pto.local_array<?xi32>",
     "expected an array of one or two known dimensions"},
    {"%u = pto.get_tensor_view_dim %pv, %c2 : !pto.tensor_view<?x?xi32> -> index",
     "the view has 2 dimensions"},
    {"%u = pto.subview %t[%dx, %c0] sizes [1, 8] : " T " -> !pto.tile_buf<vec, 2x8xi32>",
     "the tile 't' has no room for this shape"},
    {"cf.br ^bb1\n^bb1:\npto.barrier <PIPE_ALL>",
     "operation '^bb1' is read but not run: unstructured control flow is not run"},
    {"pto.comm.twait(%pp, %one : " P ", i32) {cmp = #pto<wait_cmp near>}",
     "'near' is no comparison"},
    {"pto.tload ins(%t : " T ") outs(%t : " T ")", "expected a tensor view, found a tile"},
    {"pto.barrier <PIPE_NONE>", "expected a pipe, as in <PIPE_MTE2>"},
    {"%u = pto.alloc_tile addr = %x : " T, "the address of a tile must be a constant"},
    {"scf.for %i = %c0 to %c2 step %c0 {\n}", "a loop counts upward: its step must be positive"},
    {"func.call @h() : () -> ()", "no function '@h' with a body is in this file"},
};

Test(pto_compile, refusals)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct arena a = {0};
        struct diag d;
        cr_expect(!compile(&a, kernel_of(&a, "vector", refused[i].body), "", &d), "row %zu runs",
                  i);
        if (d.failed)
            expect_text(refused[i].body, d.message, refused[i].error);
        arena_free(&a);
    }
}

/* ---- what the compiler wrote ---- */

/* All of it becomes a program, where values are given. */
Test(pto_compile, compiled_files)
{
    glob_t found;
    if (glob("../shared/oracle/pto/*.pto", 0, NULL, &found) &&
        glob("../../shared/oracle/pto/*.pto", 0, NULL, &found))
        cr_skip_test("there are no compiled files beside the repository");
    static char values[1024];
    for (int i = 0; i < 32; i++)
        snprintf(values + strlen(values), sizeof values - strlen(values), "arg%d=1;", i);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct arena a = {0};
        must_compile(&a, file_text(&a, found.gl_pathv[i]), values);
        arena_free(&a);
    }
    globfree(&found);
}

/* A dimension is as long as what is known to be a part of it; else as many as there are ranks. */
static const struct {
    const char *sizes;
    uint64_t bytes;
} dimensions[] = {{"%c4", 4 * 64}, {"%c1", 2 * 64}};

Test(pto_compile, dimensions_hold_their_parts)
{
    for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions; i++) {
        struct arena a = {0};
        struct program *p = must_compile(
            &a,
            arena_printf(
                &a,
                "module {\n  func.func @k(%%p: !pto.ptr<i32>, %%n: index) {\n"
                "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
                "  %%c4 = arith.constant 4 : index\n  %%c16 = arith.constant 16 : index\n"
                "  %%v = pto.make_tensor_view %%p, shape = [%%n, %%c16], strides = [%%c16, %%c1] : "
                "!pto.tensor_view<?x?xi32>\n"
                "  %%q = pto.partition_view %%v, offsets = [%%c0, %%c0], sizes = [%s, %%c16] : "
                "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<?x16xi32>\n"
                "  return\n  }\n}\n",
                dimensions[i].sizes),
            "");
        cr_expect(p->regions[0].size == dimensions[i].bytes, "%s: %llu bytes", dimensions[i].sizes,
                  (unsigned long long)p->regions[0].size);
        arena_free(&a);
    }
}
