/* SPDX-License-Identifier: MIT */
/*
 * Which operators of the registry InsertCommFence marks: the compiler's predicate names them, and
 * every other registered name never publishes, even where it writes (pypto-ops-facts 1).
 */
#include "ir/ops.h"
#include "ir/parse.h"
#include "passes/insert_comm_fence.h"
#include "tests/passes/transform_rig.h"

/* What the statement is followed by when every tensor in it is a window. */
static const struct {
    const char *op, *markers;
} marked[] = {
    {"pld.tile.remote_store", "fence"},
    {"pld.tensor.remote_store", "fence"},
    {"pld.tile.put", "fence"},
    {"pld.tensor.put", "fence"},
    {"pld.tile.get", "cacheinvalid fence"},
    {"pld.tensor.get", "cacheinvalid fence"},
    {"tile.store", "cacheinvalid fence"},
    {"tensor.write", "cacheinvalid fence"},
    {"pld.system.wait", "cacheinvalid"},
};

static const char *markers_of(const struct ir_op *op)
{
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
        if (!strcmp(marked[i].op, op->name))
            return marked[i].markers;
    return "";
}

static const char *argument_of(char kind)
{
    static const char *const texts[128] = {
        ['T'] = "w", ['o'] = "w", ['D'] = "w",      ['P'] = "w", ['t'] = "t",
        ['s'] = "1", ['i'] = "1", ['u'] = "[0, 0]", ['v'] = "1", ['c'] = "c",
        ['p'] = "c", ['x'] = "t", ['m'] = "w",      ['*'] = "w"};
    return texts[(unsigned char)kind];
}

/* A call with every argument, as a statement; printed keywords do not matter here. */
static const char *statement(struct arena *a, const struct ir_op *op)
{
    struct strbuf b = strbuf_make(a);
    size_t n = strlen(op->args);
    strbuf_addf(&b, "pl._dump.call('%s', [", op->name);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(&b, "%s%s", i ? ", " : "", argument_of(op->args[i]));
    strbuf_add(&b, "], pl.UnknownType)\n");
    return b.text;
}

static const char *markers_behind(struct arena *a, const ir_block *block, size_t first)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, "");
    for (size_t i = first; i < block->len; i++) {
        const struct ir_call *call = ir_leaf_call(block->items[i]);
        strbuf_addf(&b, "%s%s", b.len ? " " : "",
                    call && call->op ? strrchr(call->op->name, '.') + 1 : "?");
    }
    return b.text ? b.text : "";
}

Test(comm_fence_registry, what_the_predicate_names_and_nothing_else)
{
    static const char head[] =
        "@pl.function(type=pl.FunctionType.InCore)\n"
        "def k(w: pl.InOut[pld.DistributedTensor[[4, 64], pl.FP32]], c: pld.CommCtx):\n"
        "    t: pl.Tile[[4, 64], pl.FP32] = pl.tile.load(w, [0, 0], [4, 64])\n";
    for (size_t i = 0; i < ir_op_count(); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct ir_op *op = ir_op_at(i);
        const char *text =
            arena_printf(&a, "%s%s    %s", transform_imports, head, statement(&a, op));
        const struct ir_program *p = ir_parse(&a, source_from_string(&a, "t.py", text), &d);
        cr_assert(p, "%s", diag_text(&d, &a));
        const struct pass_options o = {.batch = PASS_BATCH_NONE, .markers = true};
        const struct ir_program *q = insert_comm_fence(&a, p, &o, &d);
        expect_text(op->name, markers_behind(&a, &q->funcs.items[0]->body, 2), markers_of(op));
        arena_free(&a);
    }
}
