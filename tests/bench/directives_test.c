/* SPDX-License-Identifier: MIT */
/*
 * Directives of compiled kernels (docs/pto.md, pto-facts 4): what each does to a run, and which error
 * stands where it cannot. In the kernel, arg0 is read at 3, and where a 42 stands there, arg1 is written
 * past its end; then arg1 is written at 0 and read at 1. Element i of an input is (5 i + 3 rank) % 7 + 1.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/bench/session.h"
#include "tests/support.h"

#define FUNC(name, args, body)                                                                     \
    "  func.func @" name "(" args ") attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n"  \
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"                         \
    "  %c3 = arith.constant 3 : index\n  %c100 = arith.constant 100 : index\n"                     \
    "  %c42 = arith.constant 42 : i32\n" body "  return\n  }\n"
#define OVER(v, at)                                                                                \
    "  %is = arith.cmpi eq, " v ", %c42 : i32\n  %far = arith.muli " at ", %c100 : index\n"        \
    "  scf.if %is {\n    pto.store_scalar " v ", %arg1[%far] : !pto.ptr<i32>, i32\n  }\n"
#define POINTERS "%arg0: !pto.ptr<i32>, %arg1: !pto.ptr<i32>, "

/* arg2 may be a context of either. */
static const char one[] = "module {\n" FUNC(
    "k", POINTERS "%arg2: !pto.ptr<i64>, %n: index",
    "  %v = pto.load_scalar %arg0[%c3] : !pto.ptr<i32> -> i32\n" OVER(
        "%v", "%n") "  pto.store_scalar %v, %arg1[%c0] : !pto.ptr<i32>, i32\n"
                    "  %w = pto.load_scalar %arg1[%c1] : !pto.ptr<i32> -> i32\n") "}\n";

/* write puts a 42 into p; read looks at its own, and goes past the end of arg1. */
static const char two[] = "module {\n" FUNC(
    "write", "%p: !pto.ptr<i32>", "  pto.store_scalar %c42, %p[%c3] : !pto.ptr<i32>, i32\n")
    FUNC("read", POINTERS "%arg2: index",
         "  %v = pto.load_scalar %arg0[%c3] : !pto.ptr<i32> -> i32\n" OVER(
             "%v", "%arg2") "  pto.store_scalar %v, %arg1[%c0] : !pto.ptr<i32>, i32\n") "}\n";

/* Of two views, one extent is not in the file. */
#define VIEWS(type)                                                                                \
    "module {\n  func.func @k(%arg0: " type ", %arg1: " type ", %t: !pto.tile_buf<vec, 1x8xi32>) " \
    "attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n"                                  \
    "  pto.comm.tput(%arg0, %arg1, buf(%t) : " type ", " type ", !pto.tile_buf<vec, 1x8xi32>)\n"   \
    "  return\n  }\n}\n"
static const char views[] = VIEWS("!pto.partition_tensor_view<?x8xi32>");
static const char open_views[] = VIEWS("!pto.partition_tensor_view<?x?xi32>");

#define D(text) "// fencebench: " text "\n"
#define CLEAN   D("local arg0, arg1") D("inout arg1")

static const struct {
    const char *name, *directives, *text;
    int code;
    const char *part; /* of the output, or of the error where the code is 2 */
} rows[] = {
    {"nothing said: written first", D("local arg0, arg1"), one, 1,
     "k.pto:16:8: error: uninitialised read at arg1[1]@0"},
    {"inout: it is filled", CLEAN, one, 0, ": clean"},
    {"out of what is read first: it has no value", CLEAN D("out arg0"), one, 1,
     "k.pto:11:8: error: uninitialised read at arg0[3]@0"},
    {"in: it is filled", CLEAN D("in arg0"), one, 0, ": clean"},
    {"in of what is written", CLEAN D("in arg1"), one, 2,
     "k.pto:15:5: error: 'pto.store_scalar' writes 'arg1', which is said to be 'in'"},
    {"contents", CLEAN D("init arg0=42"), one, 1, "k.pto:15:5: error: out of bounds at arg1[100]"},
    {"of each element: the one at 3 is 42", CLEAN D("init arg0=39+i"), one, 1,
     "k.pto:15:5: error: out of bounds at arg1[100]"},
    {"of each element: the one at 3 is 41", CLEAN D("init arg0=38+i"), one, 0, ": clean"},
    {"what has contents has a value", D("local arg0, arg1") D("init arg1=nranks"), one, 0,
     ": clean"},
    {"a window with contents", D("window arg0") D("local arg1") D("inout arg1") D("init arg0=42"),
     one, 1, "k.pto:16:5: error: out of bounds at arg1[100]"},
    {"a context, of the window that is said", D("local arg0") D("ctx arg2 of arg1"), one, 0,
     ": clean"},
    {"an argument by its place", CLEAN D("arg arg3=rank*2+1") D("init arg0=42"), one, 1,
     "out of bounds at arg1[100]"},
    {"a dimension: sizes follow from it", CLEAN D("dim n=2") D("init arg0=42"), one, 0, ": clean"},
    {"a dimension by its place", CLEAN D("dim k.arg3=3") D("init arg0=42"), one, 0, ": clean"},
    {"a size", CLEAN D("size arg1=200") D("init arg0=42"), one, 0, ": clean"},
    {"blocks: each writes the same element", CLEAN D("blocks 2"), one, 1, "error: race at arg1[0]"},
    {"two kernels, two buffers", D("arg read.arg2=1"), two, 0, ": clean"},
    {"two kernels, one buffer", D("arg read.arg2=1") D("join write.p = read.arg0"), two, 1,
     "error: out of bounds at "},
    {"two names in one kernel",
     D("arg read.arg2=1") D("init read.arg1=42") D("join read.arg0=read.arg1"), two, 1,
     "error: out of bounds at arg0[100]"},
    {"two buffers in one kernel", D("arg read.arg2=1") D("init read.arg1=42"), two, 0, ": clean"},

    {"views of two rows", D("size arg0=16") D("size arg1=16"), views, 0, ": clean"},
    {"views that do not fit", D("size arg0=16") D("size arg1=24"), views, 1,
     "k.pto:5:3: error: out of bounds at arg0[16]"},
    {"views of no known size", "", views, 2,
     "k.pto:2:16: error: nothing says how large the tensor 'arg0' is; give a line '// fencebench: "
     "size arg0=ELEMENTS'"},
    {"views of two rows less one element", D("size arg0=15") D("size arg1=16"), views, 2,
     "k.pto:4:16: error: 15 elements are no whole number of rows of 'arg0'"},
    {"views of two unknown extents", D("size arg0=16") D("size arg1=16"), open_views, 2,
     "k.pto:4:16: error: an argument of type !pto.partition_tensor_view<?x?xi32> is not run: its "
     "extents must be known, but for one"},

    {"no such argument", D("out agr1"), one, 2,
     "k.pto:1:20: error: no function has an argument 'agr1'; did you mean 'arg1'?"},
    {"no such function", D("size kk.arg0=8"), one, 2,
     "k.pto:1:21: error: no function or task is called 'kk'; did you mean 'k'?"},
    {"no such window", D("ctx arg2 of arg9"), one, 2,
     "k.pto:1:28: error: no function has an argument 'arg9'; did you mean 'arg0'?"},
    {"a direction of a scalar", D("in n"), one, 2,
     "k.pto:1:19: error: 'n' is a scalar; expected a tensor of the rank"},
    {"a direction of a window", D("window arg1") D("out arg1"), one, 2,
     "k.pto:2:20: error: 'arg1' is a window; expected a tensor of the rank"},
    {"a window that is a scalar", D("window arg3"), one, 2,
     "k.pto:1:23: error: 'arg3' is a scalar; expected a pointer"},
    {"a dimension that is a pointer", CLEAN D("dim arg1=2"), one, 2,
     "k.pto:3:20: error: 'arg1' is a tensor; expected an integer"},
    {"a value of a pointer", CLEAN D("arg arg0=2"), one, 2,
     "k.pto:3:20: error: 'arg0' is a tensor; expected a scalar or a dimension"},
    {"contents of a scalar", D("init n=2"), one, 2,
     "k.pto:1:21: error: 'n' is a scalar; expected a tensor or a window"},
    {"contents of no value", D("init arg0=i/2"), one, 2,
     "k.pto:1:27: error: in the value of 'init arg0': expected an operator or the end"},
    {"a context of a scalar", D("ctx arg2 of n"), one, 2,
     "k.pto:1:28: error: a window is a pointer, and no context: not 'n'"},
    {"a context that is none", D("ctx arg0 of arg1"), one, 2,
     "k.pto:1:20: error: a context is a pointer to i64, 'arg0' is not"},
    {"a join of which kernel?", D("join write.p = arg0"), two, 2,
     "k.pto:1:31: error: several kernels have 'arg0'; expected the name of one in front"},
    {"a join with a scalar", D("join arg0=n"), one, 2,
     "k.pto:1:26: error: 'n' is no tensor or window"},
    {"a join of unequal elements", D("join arg0=arg2"), one, 2,
     "k.pto:1:26: error: the elements of 'arg2' have another size"},
    {"a word that is misspelt", D("inot arg1"), one, 2, "did you mean 'inout'?"},
};

static void try(const char *name, const char *command, const char *directives, const char *text,
                int code, const char *part)
{
    struct session s;
    session_open(&s);
    session_write(&s, "directives", directives);
    session_write(&s, "text", text);
    struct session_result r = session_shell(&s, command);
    const char *is = code == 2 ? r.err : r.out;
    cr_expect(r.code == code && strstr(is, part), "%s: expected code %d and\n%s\nin %d\n%s%s", name,
              code, part, r.code, r.out, r.err);
    session_close(&s);
}

Test(directives, effects_and_errors, .timeout = 300)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool has_value = strstr(rows[i].directives, "dim ") || strstr(rows[i].directives, "arg3=");
        const char *command = rows[i].text != one || has_value
                                  ? "cat directives text > k.pto && $F check -P 1 k.pto"
                                  : "cat directives text > k.pto && $F check -P 1 k.pto --arg n=1";
        try(rows[i].name, command, rows[i].directives, rows[i].text, rows[i].code, rows[i].part);
    }
}

/* Beside the file they are the same, and lines are those of the other file. */
Test(directives, beside_the_file)
{
    static const char command[] =
        "mv text k.pto && mv directives k.pto.bind && $F check -P 1 k.pto";
    try("an effect", command, D("arg n=1") CLEAN D("init arg0=42"), one, 1, "out of bounds");
    try("an error", command, D("arg n=1") D("in n"), one, 2, "k.pto.bind:2:19: error: 'n' is a ");
    try("a context", command, D("arg n=1") D("ctx arg2 of n"), one, 2, "k.pto.bind:2:28: error: ");
}

/* What a file says counts for its own kernel where another one names it. */
Test(directives, of_named_files)
{
    static const char several[] = "sed -n '1p;/@write/,/^  }/p;$p' text > write.pto && sed "
                                  "'/@write/,/^  }/d' text > read.pto && "
                                  "cat directives > p.pto && ";
    const struct {
        const char *name, *said, *directives;
        int code;
        const char *part;
    } all[] = {
        {"one buffer", "true", D("join write.p = read.arg0"), 1, "out of bounds at "},
        {"contents of its own", "echo '// fencebench: init arg0=42' > read.pto.bind", "", 1,
         "out of bounds at arg1"},
        {"blocks of its own: they write one element",
         "echo '// fencebench: blocks 2' > read.pto.bind", "", 1, "race at arg1[0]"},
        {"blocks of all", "true", D("blocks 2"), 1, "race at p[3]"},
        {"a join of its own",
         "printf '// fencebench: join arg0 = arg1\\n// fencebench: init arg1=42\\n' > "
         "read.pto.bind",
         "", 1, "out of bounds at arg0[100]"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct arena a = {0};
        try(all[i].name,
            arena_printf(&a, "%s%s && $F check -P 1 p.pto --arg read.arg2=1", several, all[i].said),
            arena_printf(&a, "%s%s", D("tasks write.pto, read.pto"), all[i].directives), two,
            all[i].code, all[i].part);
        arena_free(&a);
    }
}

/* ---- scale ---- */

/* Half rows of a matrix of N columns, then one row at a place that the run computes; the address of the
 * second tile is the number N too. H is the half. The text with 64 columns, scaled, is the program of the
 * text with 16. */
static const char columns[] =
    "module {\n  func.func @k(%arg0: !pto.ptr<i32>, %arg1: !pto.ptr<i32>, %row: index) attributes "
    "{pto.kernel_kind = #pto.kernel_kind<vector>} {\n"
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
    "  %c2 = arith.constant 2 : index\n  %c4 = arith.constant 4 : index\n"
    "  %n = arith.constant N : index\n  %h = arith.constant H : index\n"
    "  %a0 = arith.constant 1024 : i64\n  %a1 = arith.constant 64 : i64\n"
    "  %in = pto.make_tensor_view %arg0, shape = [%c4, %n], strides = [%n, %c1] : "
    "!pto.tensor_view<?x?xi32>\n"
    "  %out = pto.make_tensor_view %arg1, shape = [%c4, %n], strides = [%n, %c1] : "
    "!pto.tensor_view<?x?xi32>\n"
    "  %t = pto.alloc_tile addr = %a0 valid_row = %c2 valid_col = %h : !pto.tile_buf<loc=vec, "
    "dtype=i32, rows=2, cols=H, v_row=?, v_col=?, blayout=row_major, slayout=none_box, "
    "fractal=512, pad=0>\n"
    "  %u = pto.alloc_tile addr = %a1 : !pto.tile_buf<vec, 1xNxi32>\n"
    "  scf.for %j = %c0 to %c2 step %c1 {\n"
    "    %off = arith.muli %j, %h : index\n    %at = arith.maxsi %off, %c0 : index\n"
    "    %ip = pto.partition_view %in, offsets = [%c0, %at], sizes = [%c2, %h] : "
    "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<2xHxi32>\n"
    "    %op = pto.partition_view %out, offsets = [%c2, %at], sizes = [%c2, %h] : "
    "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<2xHxi32>\n"
    "    pto.tload ins(%ip : !pto.partition_tensor_view<2xHxi32>) outs(%t : !pto.tile_buf<loc=vec, "
    "dtype=i32, rows=2, cols=H, v_row=?, v_col=?, blayout=row_major, slayout=none_box, "
    "fractal=512, pad=0>)\n"
    "    pto.tstore ins(%t : !pto.tile_buf<loc=vec, dtype=i32, rows=2, cols=H, v_row=?, v_col=?, "
    "blayout=row_major, slayout=none_box, fractal=512, pad=0>) outs(%op : "
    "!pto.partition_tensor_view<2xHxi32>)\n  }\n"
    "  %flat = arith.muli %row, %n : index\n"
    "  %q = pto.addptr %arg1, %flat : !pto.ptr<i32> -> !pto.ptr<i32>\n"
    "  %qv = pto.make_tensor_view %q, shape = [%c1, %n], strides = [%n, %c1] : "
    "!pto.tensor_view<?x?xi32>\n"
    "  %qp = pto.partition_view %qv, offsets = [%c0, %c0], sizes = [%c1, %n] : "
    "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1xNxi32>\n"
    "  %ip0 = pto.partition_view %in, offsets = [%c1, %c0], sizes = [%c1, %n] : "
    "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1xNxi32>\n"
    "  pto.tload ins(%ip0 : !pto.partition_tensor_view<1xNxi32>) outs(%u : !pto.tile_buf<vec, "
    "1xNxi32>)\n"
    "  pto.tstore ins(%u : !pto.tile_buf<vec, 1xNxi32>) outs(%qp : "
    "!pto.partition_tensor_view<1xNxi32>)\n  return\n  }\n}\n";

Test(directives, scale_is_the_smaller_program)
{
    struct session s;
    session_open(&s);
    session_write(&s, "text", columns);
    struct session_result r = session_shell(
        &s,
        "mkdir a b && sed 's/ N :/ 64 :/; s/ H :/ 32 :/; s/xNx/x64x/g; s/xHx/x32x/g; "
        "s/cols=H/cols=32/g' text > a/k.pto && "
        "sed 's/ N :/ 16 :/; s/ H :/ 8 :/; s/xNx/x16x/g; s/xHx/x8x/g; s/cols=H/cols=8/g' text > "
        "b/k.pto && echo '// fencebench: scale 64=16' >> a/k.pto && "
        "for i in a b; do (cd $i && $F compile --emit=asm --arg row=rank k.pto > asm); done; "
        "cmp a/asm b/asm && grep -q 'x 16 int32' a/asm && grep -q 'x 8 int32' a/asm");
    cr_expect(r.code == 0, "%s%s", r.out, r.err);
    session_close(&s);
}

/* The change of one line of the text, and where it makes the meaning doubtful. */
Test(directives, scale_refuses)
{
    static const struct {
        const char *name, *change, *scale, *error;
    } all[] = {
        {"nothing to scale", "", "48=16", "k.pto:33:22: error: no extent is 48"},
        {"rows that share a line", "", "64=8",
         "k.pto:11:67: error: scale 64=8: rows of 32 bytes would share lines of the cache, those "
         "of "
         "256 do not"},
        {"a multiple of it",
         "s/shape = \\[%c4, %n\\], strides = \\[%n/shape = [%c4, %a], strides = [%a/; "
         "s/^  %a0/  %a = arith.constant 128 : index\\n&/",
         "64=16",
         "error: scale 64=16: whether 128 is 2 times the dimension is not known; say it too"},
        {"a part that does not divide",
         "s/sizes = \\[%c2, %h\\]/sizes = [%c2, %c2]/; s/2x32x/2x2x/", "64=16",
         "error: scale 64=16: 2 of the dimension is no multiple of 4"},
        {"a loop to it", "s/to %c2 step/to %n step/", "64=16",
         "k.pto:15:23: error: scale 64=16: whether this 64 is the dimension is not known"},
        {"a place by a quotient", "s/arith.maxsi %off/arith.divsi %off/", "64=16",
         "k.pto:18:51: error: scale 64=16: it is not known how this place in the dimension is "
         "computed, by 'arith.divsi'"},
        {"a place without a factor", "s/arith.muli %j, %h/arith.muli %j, %c2/", "64=16",
         "error: scale 64=16: no factor of this place in the dimension is a multiple of 4"},
        {"a place that something else sees too",
         "s/^    %op = /    pto.store_scalar %off, %arg2[%c0] : !pto.ptr<index>, index\\n&/; "
         "s/%row: index/%arg2: !pto.ptr<i32>, &/",
         "64=16", "'%off' counts elements of the dimension elsewhere, and here it is not known to"},
        {"another view of the memory",
         "s/^  %qp/  %bad = pto.make_tensor_view %arg1, shape = [%h, %c4], strides = [%c4, %c1] : "
         "!pto.tensor_view<?x?xi32>\\n&/",
         "64=16",
         "error: scale 64=16: another view of this memory has the dimension, and this one "
         "has not"},
        {"an element of the memory",
         "s/^  %qp/  %bad = pto.load_scalar %arg1[%h] : !pto.ptr<i32> -> i32\\n&/", "64=16",
         "error: scale 64=16: an element of memory that has the dimension; only the first 16 are"},
        {"tiles that overlap", "s/1024 : i64/256 : i64/", "64=16",
         "k.pto:13:8: error: scale 64=16: this tile shares memory with that of line 14, and then "
         "would "
         "not"},
        {"a part of a tile",
         "s/^  %ip0/  %sub = pto.subview %u[%c0, %c0] sizes [1, 8] : "
         "!pto.tile_buf<vec, 1x64xi32> -> !pto.tile_buf<vec, 1x8xi32>\\n&/",
         "64=16", "error: scale 64=16: what 'pto.subview' makes of the dimension is not known"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct arena a = {0};
        struct session s;
        session_open(&s);
        session_write(&s, "text", columns);
        struct session_result r = session_shell(
            &s, arena_printf(&a,
                             "sed -E 's/ N :/ 64 :/; s/ H :/ 32 :/; s/xNx/x64x/g; s/xHx/x32x/g; "
                             "s/cols=H/cols=32/g; %s' text > k.pto && echo '// fencebench: scale "
                             "%s' >> k.pto && $F compile --emit=asm --arg row=rank k.pto",
                             all[i].change, all[i].scale));
        cr_expect(r.code == 2 && strstr(r.err, all[i].error), "%s: expected\n%s\nin %d\n%s",
                  all[i].name, all[i].error, r.code, r.err);
        session_close(&s);
        arena_free(&a);
    }
}
