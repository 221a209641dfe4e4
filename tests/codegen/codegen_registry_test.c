/* SPDX-License-Identifier: MIT */
/*
 * Every operator of the registry in a kernel: it compiles, or one of a few reasons says why it does
 * not run here. Operators on tiles that touch no memory all compile.
 */
#include "base/strbuf.h"
#include "ir/ops.h"
#include "ir/parse.h"
#include "passes/pass.h"
#include "tests/codegen/kernel_rig.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char clusters[] =
    "hands a tile over to another core, which ExpandMixedKernel makes a push and a pop of",
                  pipes[] = "has no pipe of its direction set up before it",
                  hosts[] = "is for orchestrators",
                  collectives[] = "is lowered by LowerCompositeOps, which has not run",
                  values[] = "works on tensors as values: in an InCore function "
                             "ConvertTensorToTileOps makes an operator on tiles of it, and "
                             "elsewhere nothing runs it";

/* By the beginning of the name, the first one that fits; NULL: the operator compiles. */
static struct {
    const char *prefix, *reason;
    int hits;
} refused[] = {
    {"tile.mgather", "has a scratch tensor and a valid_shape only where it gathers into L1", 0},
    {"tile.aiv_shard", clusters, 0},
    {"tile.aic_gather", clusters, 0},
    {"tile.tpush_", pipes, 0},
    {"tile.tpop_", pipes, 0},
    {"tile.", NULL, 0},
    {"tensor.aiv_shard", clusters, 0},
    {"tensor.aic_gather", clusters, 0},
    {"tensor.read", NULL, 0},
    {"tensor.write", NULL, 0},
    {"tensor.dim", NULL, 0},
    {"tensor.slice", NULL, 0},
    {"tensor.assemble", NULL, 0},
    {"tensor.view", NULL, 0},
    {"tensor.reshape", NULL, 0},
    {"tensor.get_", NULL, 0},
    {"tensor.", values, 0},
    {"system.fence", NULL, 0},
    {"system.cacheinvalid", NULL, 0},
    {"system.bar_", NULL, 0},
    {"system.sync_src", NULL, 0},
    {"system.sync_dst", NULL, 0},
    {"system.available_", hosts, 0},
    {"system.task_", hosts, 0},
    {"system.sync_set", "takes one number of a flag, not two", 0},
    {"system.sync_wait", "takes one number of a flag, not two", 0},
    {"system.aic_initialize_pipe", "needs a direction, 1 to 64 slots and their size", 0},
    {"system.aiv_initialize_pipe", "needs a direction, 1 to 64 slots and their size", 0},
    {"system.", NULL, 0},
    {"pld.system.world_size", hosts, 0},
    {"pld.system.", NULL, 0},
    {"pld.tile.", NULL, 0},
    {"pld.tensor.put", NULL, 0},
    {"pld.tensor.get", NULL, 0},
    {"pld.tensor.remote_store", NULL, 0},
    {"pld.tensor.alloc_window_buffer", hosts, 0},
    {"pld.tensor.window", hosts, 0},
    {"pld.tensor.", collectives, 0},
    {"builtin.", hosts, 0},
    {"dist.", hosts, 0},
    {"array.", NULL, 0},
    {"prefetch.", NULL, 0},
    {"test.", "is registered for the compiler's own tests only", 0},
};

static const char *argument(struct arena *a, const struct ir_op *op, size_t i)
{
    const char *name = ir_op_arg_name(a, op, strlen(op->args), i);
    bool signal = op->effect == IR_EFFECT_NOTIFY || op->effect == IR_EFFECT_WAIT ||
                  !strcmp(op->name, "pld.system.defer_wait");
    switch (op->args[i]) {
    case 'T':
    case 'P':
        return "x";
    case 'D':
        return signal ? "sig" : "w";
    case 't':
    case 'x':
    case 'm':
        return !strcmp(name, "idx") ? "i" : "t";
    case 'u':
        return strstr(name, "offset") || strstr(name, "indices") ? "[0, 0]" : "[16, 16]";
    case 'v':
        return "[0, 0]";
    case 'c':
    case 'p':
        return "c";
    case '*':
        return "t";
    default:
        return strstr(name, "axis2") || strstr(name, "extent") ? "1" : "0";
    }
}

static const char *result(const struct ir_op *op)
{
    switch (op->result) {
    case IR_RESULT_UNKNOWN:
        return "pl.UnknownType";
    case IR_RESULT_ELEMENT:
        return "pl.Scalar[pl.FP32]";
    case IR_RESULT_INDEX:
    case IR_RESULT_INT32:
    case IR_RESULT_INT64:
        return "pl.Scalar[pl.INDEX]";
    case IR_RESULT_FOUND:
        return "pl.Tuple[pl.Tile[[16, 16], pl.INT32], pl.Tile[[1, 16], pl.INT32]]";
    case IR_RESULT_CTX:
        return "pld.CommCtx";
    case IR_RESULT_PTR:
        return "pl.Ptr";
    default:
        return !strncmp(op->name, "tensor.", 7) ? "pl.Tensor[[16, 16], pl.FP32]"
                                                : "pl.Tile[[16, 16], pl.FP32]";
    }
}

static const char *call(struct arena *a, const struct ir_op *op)
{
    struct strbuf b = strbuf_make(a);
    strbuf_addf(&b, "pl._dump.call('%s', [", op->name);
    for (size_t i = 0; op->args[i]; i++)
        strbuf_addf(&b, "%s%s", i ? ", " : "", argument(a, op, i));
    strbuf_addf(&b, "], %s", result(op));
    if (!strncmp(op->name, "system.sync_", 12))
        strbuf_add(&b, ", kwargs={\"set_pipe\": 1, \"wait_pipe\": 4, \"event_id\": 2}");
    if (!strcmp(op->name, "array.create"))
        strbuf_add(&b, ", kwargs={\"dtype\": pl.FP32}");
    strbuf_add(&b, ")");
    return b.text;
}

static const char kernel[] =
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "@pl.function(type=pl.FunctionType.InCore)\n"
    "def k(x: pl.Tensor[[16, 16], pl.FP32], w: pl.InOut[pld.DistributedTensor[[16, 16], pl.FP32]], "
    "sig: pl.InOut[pld.DistributedTensor[[16, 16], pl.INT32]]):\n"
    "    c = pld.system.get_comm_ctx(w)\n"
    "    t = pl.tile.load(x, [0, 0], [16, 16])\n"
    "    i = pl.tile.create([16, 16], dtype=pl.INT32)\n"
    "    %s%s\n";

static const char *reason_of(const struct ir_op *op)
{
    size_t i = 0;
    while (strncmp(op->name, refused[i].prefix, strlen(refused[i].prefix)))
        i++;
    refused[i].hits++;
    return refused[i].reason;
}

Test(codegen_registry, runs_or_says_why_not)
{
    struct arena kept = {0};
    struct toolchain t = rig_toolchain(&kept);
    for (size_t i = 0; i < ir_op_count(); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct directives dir = {0};
        struct codegen_options o = {.toolchain = &t, .nranks = RIG_RANKS};
        const struct ir_op *op = ir_op_at(i);
        const char *reason = reason_of(op), *name = op->result == IR_RESULT_UNKNOWN ? "" : "v = ";
        const char *text = arena_printf(&a, kernel, name, call(&a, op));
        const struct ir_program *p = ir_parse(&a, source_from_string(&a, "t.py", text), &d);
        cr_assert(p, "%s", diag_text(&d, &a));
        const struct program *made = codegen(&a, p, &dir, &o, &d);
        const char *expected =
            reason ? arena_printf(&a, "8:%d: '%s' %s", *name ? 9 : 5, op->name, reason) : "runs";
        expect_text(op->name, made ? "runs" : rig_error(&a, &d), expected);
        arena_free(&a);
    }
    for (size_t i = 0; i < COUNT(refused); i++)
        cr_expect(refused[i].hits, "no operator begins with %s", refused[i].prefix);
    arena_free(&kept);
}

/* ---- tensors as values, behind ConvertTensorToTileOps ---- */

/* Operators that such a kernel cannot use, or that want more than the operands below. */
static const char *const other_operands[] = {
    "tensor.alloc",       "tensor.aiv_shard",     "tensor.aic_gather", "tensor.paged_gather",
    "tensor.gather_row",  "tensor.expand_clone",  "tensor.ci",         "tensor.random",
    "tensor.scatter_upd", "tensor.gather_compar", "tensor.matmul_acc", "tensor.create_l1",
};

static const char *value(const struct ir_op *op, const char *name, char kind)
{
    static const char *const integers[] = {"and", "or", "xor", "shl", "shr", "not"};
    bool bits = false;
    for (size_t i = 0; i < COUNT(integers); i++)
        bits |= !strncmp(op->name + 7, integers[i], strlen(integers[i]));
    if (!strcmp(name, "row_vec") || !strcmp(name, "col_vec"))
        return name[0] == 'r' ? "col" : "row";
    if (!strcmp(name, "index") || !strcmp(name, "idx"))
        return "n";
    if (kind == 'u')
        return strstr(name, "offset") ? "[0, 0]" : "[16, 16]";
    if (kind == 's')
        return bits || !strncmp(name, "valid", 5) ? "1" : "1.0";
    if (kind == 'i')
        return strstr(name, "axis2") ? "1" : strstr(name, "block_len") ? "32" : "0";
    return bits ? "n" : "x";
}

static const char *keyword(const struct ir_op_kwarg *k)
{
    if (!k->required)
        return NULL;
    return k->kind == 'd' ? "pl.FP32" : !strcmp(k->name, "dim") ? "-1" : "1";
}

static const char *tensor_call(struct arena *a, const struct ir_op *op)
{
    struct strbuf b = strbuf_make(a);
    size_t n = strlen(op->args), given = 0;
    while (!ir_op_takes(op, given))
        given++;
    bool reserved = !strcmp(op->name, "tensor.and") || !strcmp(op->name, "tensor.or") ||
                    !strcmp(op->name, "tensor.not");
    strbuf_addf(&b, "pl.%s%s(", op->name, reserved ? "_" : "");
    for (size_t i = 0; i < given && i < n; i++) {
        const char *name = ir_op_arg_name(a, op, given, i);
        strbuf_addf(&b, "%s%s=%s", i ? ", " : "", name,
                    value(op, name, ir_op_arg_kind(op, given, i)));
    }
    for (int i = 0; i < IR_MAX_KWARGS && op->kwargs[i].name; i++)
        if (keyword(&op->kwargs[i]))
            strbuf_addf(&b, "%s%s=%s", given || i ? ", " : "", op->kwargs[i].name,
                        keyword(&op->kwargs[i]));
    strbuf_add(&b, ")");
    return b.text;
}

static const char tensor_kernel[] =
    "import pypto.language as pl\n"
    "@pl.function(type=pl.FunctionType.InCore)\n"
    "def k(x: pl.Tensor[[16, 16], pl.FP32], n: pl.Tensor[[16, 16], pl.INT32], "
    "col: pl.Tensor[[16, 1], pl.FP32], row: pl.Tensor[[1, 16], pl.FP32]):\n"
    "    v = %s\n";

Test(codegen_registry, operators_on_tensors_run_as_operators_on_tiles)
{
    static const struct pass_options options = {.markers = true, .verify_each = true};
    struct arena kept = {0};
    struct toolchain t = rig_toolchain(&kept);
    size_t ran = 0;
    for (size_t i = 0; i < ir_op_count(); i++) {
        const struct ir_op *op = ir_op_at(i);
        bool skipped = strncmp(op->name, "tensor.", 7) || strchr(op->args, 'v');
        for (size_t k = 0; k < COUNT(other_operands); k++)
            skipped |= !strncmp(op->name, other_operands[k], strlen(other_operands[k]));
        if (skipped)
            continue;
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct directives dir = {0};
        struct codegen_options o = {.toolchain = &t, .nranks = RIG_RANKS};
        const char *text = arena_printf(&a, tensor_kernel, tensor_call(&a, op));
        const struct ir_program *p = ir_parse(&a, source_from_string(&a, "t.py", text), &d);
        p = p ? passes_run(&a, p, NULL, 0, &options, NULL, &d) : NULL;
        bool made = p && codegen(&a, p, &dir, &o, &d);
        cr_expect(made, "%s\n%s", text, diag_text(&d, &a));
        ran += made;
        arena_free(&a);
    }
    cr_expect(ran > 80, "%zu", ran);
    arena_free(&kept);
}
