/* SPDX-License-Identifier: MIT */
/*
 * The reader of `.pto` text: every spelling is the same record (pto-facts 1), what is printed reads
 * back equal, and bad text gives one error with its place.
 *
 * PTO names a folder of compiled files; without it, and without ../shared/oracle/pto, the fixtures
 * here are all there is.
 */
#include <glob.h>
#include <stdlib.h>

#include "pto/tree.h"
#include "tests/support.h"

static struct pto_file *read_text(struct arena *a, const char *text, struct diag *d)
{
    *d = (struct diag){.arena = a};
    return pto_read(a, source_from_string(a, "k.pto", text), d);
}

static struct pto_file *must_read(struct arena *a, const char *text)
{
    struct diag d;
    struct pto_file *f = read_text(a, text, &d);
    cr_assert(f, "%s", diag_text(&d, a));
    return f;
}

static void expect_equal(struct arena *a, const char *name, const struct pto_file *x,
                         const struct pto_file *y)
{
    struct pto_difference d = {.arena = a};
    cr_expect(pto_equal(x, y, &d), "%s: %s", name, d.words);
}

/* A function around statements; the arguments are there to be used. */
static char *function_of(struct arena *a, const char *body)
{
    return arena_printf(
        a,
        "module attributes {pto.target_arch = \"a2a3\"} {\n"
        "  func.func @k(%%p: !pto.ptr<f32>, %%q: !pto.ptr<i32>, %%n: index, %%s: i32) "
        "attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n%s\n  return\n  "
        "}\n}\n",
        body);
}

/* ---- two spellings of one thing ---- */

#define TILE_LONG                                                                                  \
    "!pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=64, v_row=1, v_col=64, blayout=row_major, "    \
    "slayout=none_box, fractal=512, pad=0>"
#define VIEW                                                                                       \
    "%v = pto.make_tensor_view %p, shape = [%n, %n], strides = [%n, %n] : "                        \
    "!pto.tensor_view<?x?xf32>\n"
#define PART                                                                                       \
    VIEW "%w = pto.partition_view %v, offsets = [%n, %n], sizes = [%n, %n] : "                     \
         "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>\n"

static const struct {
    const char *name, *one, *other;
} spellings[] = {
    {"an enumerated attribute by its kind, by its name, and without it",
     "pto.barrier <PIPE_ALL>\npto.fence.barrier_all #pto.fence_scope<gm>\npto.barrier "
     "#pto.pipe<PIPE_MTE3>",
     "pto.barrier #pto<pipe PIPE_ALL>\npto.fence.barrier_all <gm>\npto.barrier <PIPE_MTE3>"},
    {"a scalar access under its new name",
     "%x = pto.load_scalar %p[%n] : !pto.ptr<f32> -> f32\n"
     "pto.store_scalar %x, %p[%n] : !pto.ptr<f32>, f32",
     "%x = pto.load %p[%n] : !pto.ptr<f32> -> f32\npto.store %x, %p[%n] : !pto.ptr<f32>, f32"},
    {"the address space that a pointer has anyway",
     "%x = pto.addptr %p, %n : !pto.ptr<f32> -> !pto.ptr<f32>",
     "%x = pto.addptr %p, %n : !pto.ptr<f32, gm> -> !pto.ptr<f32, #pto.address_space<gm>>"},
    {"a tile type in short", "%t = pto.alloc_tile : " TILE_LONG,
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>"},
    {"a tile type in short, with its valid part",
     "%t = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=7, v_col=63, "
     "blayout=col_major, slayout=none_box, fractal=512, pad=1>",
     "%t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32, valid=7x63, blayout=col_major, pad=1>"},
    {"attributes inside of the operands",
     "%t = pto.alloc_tile : " TILE_LONG
     "\npto.tcvt ins(%t {rmode = #pto<round_mode RINT>} : " TILE_LONG ") outs(%t : " TILE_LONG ")",
     "%t = pto.alloc_tile : " TILE_LONG "\npto.tcvt ins(%t : " TILE_LONG ") outs(%t : " TILE_LONG
     ") {rmode = #pto.round_mode<RINT>}"},
    {"the generic form of a transfer",
     PART "%t = pto.alloc_tile : " TILE_LONG
          "\npto.tload ins(%w : !pto.partition_tensor_view<1x64xf32>) outs(%t : " TILE_LONG ")",
     PART "%t = pto.alloc_tile : " TILE_LONG
          "\n\"pto.tload\"(%w, %t) : (!pto.partition_tensor_view<1x64xf32>, " TILE_LONG ") -> ()"},
    {"the generic form of a view", VIEW,
     "%v = \"pto.make_tensor_view\"(%p, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 1, 2, "
     "2>}> : (!pto.ptr<f32>, index, index, index, index) -> !pto.tensor_view<?x?xf32>"},
    {"locations, comments and lines", "%x = arith.addi %n, %n : index loc(\"k.py\":3:5)",
     "// RUN: nothing\n%x = arith.addi\n    %n, // the first\n    %n\n  : index"},
    {"names", "%x = arith.addi %n, %n : index\n%y = arith.addi %x, %n : index",
     "%0 = arith.addi %n, %n : index\n%7 = arith.addi %0, %n : index"},
    {"an alias", "#all = #pto<pipe PIPE_ALL>\npto.barrier <PIPE_ALL>", NULL},
};

Test(pto_read, spellings)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        struct arena a = {0};
        if (spellings[i].other)
            expect_equal(&a, spellings[i].name, must_read(&a, function_of(&a, spellings[i].one)),
                         must_read(&a, function_of(&a, spellings[i].other)));
        arena_free(&a);
    }
}

Test(pto_read, aliases_may_stand_at_either_end)
{
    struct arena a = {0};
    const char *body = "func.func @k() {\n pto.barrier #all loc(#l)\n return\n}\n";
    const char *aliases = "#all = #pto<pipe PIPE_ALL>\n#l = loc(\"a.py\":7:9)\n";
    struct pto_file *front = must_read(&a, arena_printf(&a, "%s%s", aliases, body)),
                    *behind = must_read(&a, arena_printf(&a, "%s%s", body, aliases));
    expect_equal(&a, "aliases", front, behind);
    const struct pto_op *barrier =
        behind->top.ops.items[0]->regions.items[0]->blocks.items[0]->ops.items[0];
    cr_expect_str_eq(barrier->attrs.items[0].word, "PIPE_ALL");
    cr_expect_str_eq(barrier->loc.file, "a.py");
    cr_expect(barrier->loc.line == 7 && barrier->loc.col == 9);
    arena_free(&a);
}

/* ---- what is not equal ---- */

static const struct {
    const char *one, *other, *words;
} differences[] = {
    {"pto.barrier <PIPE_ALL>", "pto.barrier <PIPE_V>",
     "'pto.barrier' has the attribute <PIPE_ALL> only here"},
    {"pto.cmo.cacheinvalid %p single_cache_line : !pto.ptr<f32>",
     "pto.cmo.cacheinvalid %q single_cache_line : !pto.ptr<i32>",
     "operand 1 of 'pto.cmo.cacheinvalid' is another value"},
    {"%x = arith.subi %n, %n : index\n%y = arith.subi %x, %n : index",
     "%x = arith.subi %n, %n : index\n%y = arith.subi %n, %x : index",
     "operand 1 of 'arith.subi' is another value"},
    {"%x = arith.cmpi lt, %n, %n : index", "%x = arith.cmpi le, %n, %n : index",
     "'arith.cmpi' says 'lt' and 'le'"},
    {"%x = arith.constant 4 : index", "%x = arith.constant 4 : i64",
     "'arith.constant' has the attribute 4 : index only here"},
    {"pto.barrier <PIPE_ALL>", "", "'pto.barrier' here, 'return' there"},
};

Test(pto_read, differences)
{
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
        struct arena a = {0};
        struct pto_difference d = {.arena = &a};
        bool equal = pto_equal(must_read(&a, function_of(&a, differences[i].one)),
                               must_read(&a, function_of(&a, differences[i].other)), &d);
        cr_expect(!equal, "row %zu", i);
        if (!equal)
            expect_text(differences[i].one, d.words, differences[i].words);
        arena_free(&a);
    }
}

/* ---- scopes ---- */

Test(pto_read, names_repeat_in_regions_beside_each_other)
{
    struct arena a = {0};
    must_read(
        &a, function_of(&a, "scf.for %i = %n to %n step %n {\n %0 = arith.addi %i, %n : index\n}\n"
                            "scf.for %i = %n to %n step %n {\n %0 = arith.addi %i, %n : index\n}\n"
                            "%0 = arith.addi %n, %n : index"));
    arena_free(&a);
}

Test(pto_read, several_results_of_one_name)
{
    struct arena a = {0};
    struct pto_file *f = must_read(
        &a, function_of(&a, "%r:2 = scf.for %i = %n to %n step %n iter_args(%x = %n, %y = %s) -> "
                            "(index, i32) {\n  scf.yield %x, %y : index, i32\n}\n"
                            "%z = arith.addi %r"
                            "#1, %s : i32\n%u = arith.addi %r"
                            "#0, %n : index"));
    struct pto_file *again = must_read(&a, pto_print(&a, f));
    expect_equal(&a, "results", f, again);
    arena_free(&a);
}

/* ---- errors ---- */

static const struct {
    const char *text, *error;
} errors[] = {
    {"", "1:1: expected a module, found the end of the file"},
    {"module {\n  func.func @k() {\n  pto.barrier <PIPE_ALL\n  }\n}\n",
     "4:3: expected '>', found '}'"},
    {"func.func @k() {\n  %x = arith.addi %y, %y : index\n}\n",
     "2:19: no value '%y' is defined here"},
    {"func.func @k(%x: index) {\n  %x = arith.addi %x, %x : index\n}\n",
     "2:3: '%x' is defined already on line 1"},
    {"func.func @k(%x: !pto.ptr<>) {\n}\n", "1:27: expected an element type, found '>'"},
    {"func.func @k(%x: !pto.tensor_view<4x.32>) {\n}\n",
     "1:35: expected an element type behind the extents"},
    {"func.func @k(%x: !pto.tile_buf<vec, 16xf32>) {\n}\n",
     "1:37: a tile has rows and columns, as in 16x128xf32"},
    {"func.func @k(%x: !pto.tile_buf<loc=vec, dtype=f32, rows=1>) {\n}\n",
     "1:18: this tile type does not say its 'cols'"},
    {"func.func @k(%x: !pto.tensor_view<1x2x3x4x5x6x7x8x9xf32>) {\n}\n",
     "1:35: a type has at most 8 extents"},
    {"func.func @k() {\n  pto.barrier <PIPE_ALL> ;\n}\n", "2:26: unexpected character ';'"},
    {"func.func @k() {\n", "2:1: expected an operation or '}', found the end of the file"},
    {"func.func @k() {\n  %x = foo.bar\n}\n",
     "2:3: the type of '%x' is not said; expected ': TYPE' or '-> TYPE'"},
    {"func.func @k() attributes {a = \"b} {\n", "1:32: this string does not end on its line"},
    {"module attributes {pto.backend = \"vpto\"} {\n}\n",
     "1:34: this module is for the vpto backend (micro-ISA); expected the tile-level .pto that the "
     "compiler writes"},
};

Test(pto_read, errors)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct arena a = {0};
        struct diag d;
        cr_expect(!read_text(&a, errors[i].text, &d), "row %zu is read", i);
        if (d.failed)
            expect_text(errors[i].text,
                        arena_printf(&a, "%d:%d: %s", d.span.line, d.span.col, d.message),
                        errors[i].error);
        arena_free(&a);
    }
}

/* An operation that no table has is read and printed (pto-facts 1.5). */
Test(pto_read, unknown_operations)
{
    struct arena a = {0};
    const char *text = function_of(
        &a,
        "  %x, %y = pto.brand_new(%p, how(%n) : !pto.ptr<f32>, index) {mode = 3 : i32, flag} -> "
        "(i32, i64)\n  pto.other ins(%x : i32) depth = 4 {\n    pto.inner %y : i64\n  }");
    struct pto_file *f = must_read(&a, text);
    expect_text("unknown operations", pto_print(&a, f), text);
    arena_free(&a);
}

/* ---- what the compiler wrote ---- */

/* All of it: read, printed back to the same text, and that read to an equal record. */
Test(pto_read, compiled_files)
{
    const char *folder = getenv("PTO");
    struct arena all = {0};
    glob_t found;
    if (glob(arena_printf(&all, "%s/*.pto", folder ? folder : "../shared/oracle/pto"), 0, NULL,
             &found) &&
        (folder || glob("../../shared/oracle/pto/*.pto", 0, NULL, &found)))
        cr_skip_test("there are no compiled files beside the repository");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct source *src = source_read(&a, found.gl_pathv[i], &d);
        struct pto_file *f = src ? pto_read(&a, src, &d) : NULL;
        cr_expect(f, "%s", diag_text(&d, &a));
        if (f) {
            expect_text(found.gl_pathv[i], pto_print(&a, f), src->text);
            expect_equal(&a, found.gl_pathv[i], f, must_read(&a, pto_print(&a, f)));
        }
        arena_free(&a);
    }
    globfree(&found);
    arena_free(&all);
}
