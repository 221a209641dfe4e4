/* SPDX-License-Identifier: MIT */
/*
 * The builtin collectives of the host as kernels in the authoring language (pypto-facts 5.6). The
 * runtime's own are library code that no pass sees, so what they contain of markers stands in the
 * text here, and code generation adds none of its own.
 *
 * In the text $NAME stands for a number or word that depends on the operands:
 *
 *     $T element type      $P ranks of the domain   $W elements of a tile
 *     $N elements of a row, of a block, or of all that is worked on in one piece
 *     $TILES tiles in $N   $LANES cells a rank has in the signal   $BLOCKS tasks of a call
 *     $OP tile operator    $ROOT   $MAX rows a block may hold
 */
#include <string.h>

#include "base/strbuf.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "codegen/host/host_internal.h"

enum { TILE_ELEMENTS = 256, MAX_BUILTIN_RANKS = 16 };

// clang-format off
#define WINDOW(name, rows, cols, type)                                                             \
    name ": pl.InOut[pld.DistributedTensor[[" rows ", " cols "], pl." type "]]"
#define SIGNAL WINDOW("signal", "$P", "$LANES", "INT32")

#define HEAD(params)                                                                               \
    "import pypto.language as pl\n"                                                                \
    "import pypto.language.distributed as pld\n"                                                   \
    "@pl.program\n"                                                                                \
    "class builtin:\n"                                                                             \
    "    @pl.function(type=pl.FunctionType.InCore)\n"                                              \
    "    def kernel(self, " params "):\n"                                                          \
    "        ctx = pld.system.get_comm_ctx(signal)\n"                                              \
    "        me = pld.system.rank(ctx)\n"

/* i: indentation; cell: of the signal; n: an amount. */
#define NOTIFY_ALL(i, cell)                                                                        \
    i "for peer in pl.range($P):\n" i "    if peer != me:\n" i                                      \
      "        pld.system.notify(signal, peer, [" cell "], 1, op=pld.NotifyOp.AtomicAdd)\n"
#define WAIT_ALL(i, cell, n, behind)                                                               \
    i "for peer in pl.range($P):\n" i "    if peer != me:\n" i                                      \
      "        pld.system.wait(signal, [" cell "], " n ", cmp=pld.WaitCmp.Ge)\n" behind
#define BARRIER(i, mine, theirs, n)                                                                \
    NOTIFY_ALL(i, mine) WAIT_ALL(i, theirs, n, "") i "pl.system.bar_all()\n"
#define TAKE_BACK(i, cell, n)                                                                      \
    i "for peer in pl.range($P):\n" i "    if peer != me:\n" i                                      \
      "        pld.system.notify(signal, me, [" cell "], " n ", op=pld.NotifyOp.AtomicAdd)\n"

#define I2 "        "
#define I3 I2 "    "
#define I4 I3 "    "

#define PIECE(i) i "col = tile * $W\n" i "n = pl.min($W, $N - col)\n"
#define LOAD(i, name, row)                                                                         \
    i name " = pl.tile.load(target, [" row ", col], [1, $W], [1, n], target_memory=pl.Mem.Vec)\n"
#define REMOTE(i, name, from, row)                                                                 \
    i name " = pld.tile.remote_load(target, " from ", [" row ", col], [1, $W], [1, n])\n"
#define STORE(i, name, row) i "pl.tile.store(" name ", [" row ", col], target, [1, n])\n"
#define REDUCE(i, row)                                                                             \
    LOAD(i, "acc", row)                                                                            \
    i "for peer in pl.range($P):\n" i "    if peer != me:\n" REMOTE(i "        ", "other", "peer",  \
                                                                    row)                           \
        i "        acc = pl.tile.$OP(acc, other)\n"

/* Block b of several works on tiles b, b + blocks, ... and syncs on lane b of the signal. */
static const char allreduce[] =
    HEAD(WINDOW("target", "1", "$N", "$T") ", " SIGNAL)
    I2 "lane = pl.tile.get_block_idx()\n"
    BARRIER(I2, "me, lane", "peer, lane", "1")
    I2 "round = 1\n"
    I2 "for tile in pl.range(lane, $TILES, $BLOCKS):\n"
    PIECE(I3) REDUCE(I3, "0")
    I3 "round = round + 1\n"
    BARRIER(I3, "me, lane", "peer, lane", "round")
    STORE(I3, "acc", "0")
    I2 "pl.system.bar_all()\n"
    TAKE_BACK(I2, "peer, lane", "0 - round");

static const char barrier[] =
    HEAD(SIGNAL)
    BARRIER(I2, "me, 0", "peer, 0", "1")
    TAKE_BACK(I2, "peer, 0", "-1");

#define INVALIDATE I4 "pl.system.cacheinvalid()\n"
static const char reduce_scatter[] =
    HEAD(WINDOW("target", "$P", "$N", "$T") ", " SIGNAL)
    NOTIFY_ALL(I2, "me, 0") WAIT_ALL(I2, "peer, 0", "1", INVALIDATE)
    I2 "for tile in pl.range($TILES):\n"
    PIECE(I3) REDUCE(I3, "me")
    STORE(I3, "acc", "me")
    I3 "pl.system.cacheinvalid(target, [1, 1], [me, col])\n"
    I3 "pl.system.bar_all()\n"
    I3 "pl.system.fence()\n"
    NOTIFY_ALL(I2, "me, 0") WAIT_ALL(I2, "peer, 0", "2", INVALIDATE)
    TAKE_BACK(I2, "peer, 0", "-2");

/* from: the row of the input that goes to rank dest. */
#define PUSH(i, from)                                                                              \
    i "for tile in pl.range($TILES):\n" PIECE(i "    ") i "    pl.system.bar_all()\n" i             \
      "    pld.tile.put(target, dest, source, stage, [me, col], [" from ", col], [1, n], "         \
      "atomic=pld.AtomicType.None_)\n" i "    pl.system.bar_all()\n"
#define STAGE I2 "stage = pl.tile.create([1, $W], dtype=pl.$T, target_memory=pl.Mem.Vec)\n"
#define PUSHED                                                                                     \
    I2 "pl.system.bar_all()\n"                                                                     \
    I2 "pl.system.fence()\n"                                                                       \
    BARRIER(I2, "me, 0", "peer, 0", "1")                                                           \
    TAKE_BACK(I2, "peer, 0", "-1")

static const char allgather[] =
    HEAD(WINDOW("source", "1", "$N", "$T") ", " WINDOW("target", "$P", "$N", "$T") ", " SIGNAL)
    STAGE
    I2 "for dest in pl.range($P):\n"
    PUSH(I3, "0")
    PUSHED;

static const char all_to_all[] =
    HEAD(WINDOW("source", "$P", "$N", "$T") ", " WINDOW("target", "$P", "$N", "$T") ", " SIGNAL)
    STAGE
    I2 "for dest in pl.range($P):\n"
    PUSH(I3, "dest")
    PUSHED;

static const char all_to_all_v[] =
    HEAD(WINDOW("source", "$P", "$N", "$T") ", " WINDOW("target", "$P", "$N", "$T") ", " SIGNAL ", "
         WINDOW("send_counts", "$P", "1", "INT32") ", " WINDOW("recv_counts", "$P", "1", "INT32"))
    STAGE
    I2 "for dest in pl.range($P):\n"
    I3 "count = pl.read(send_counts, [dest, 0])\n"
    I3 "pld.system.notify(recv_counts, dest, [me, 0], pl.min(count, $MAX), op=pld.NotifyOp.Set)\n"
    PUSH(I3, "dest")
    PUSHED;

static const char broadcast[] =
    HEAD(WINDOW("target", "1", "$N", "$T") ", " SIGNAL)
    I2 "for tile in pl.range($TILES):\n"
    PIECE(I3)
    I3 "if me == $ROOT:\n"
    LOAD(I4, "own", "0") STORE(I4, "own", "0")
    I3 "pl.system.bar_all()\n"
    BARRIER(I3, "me, 0", "peer, 0", "tile + 1")
    I3 "if me != $ROOT:\n"
    REMOTE(I4, "got", "$ROOT", "0") STORE(I4, "got", "0")
    I2 "pl.system.bar_all()\n"
    TAKE_BACK(I2, "peer, 0", "-$TILES");

/* One round on row `row`: the segment comes from the left neighbour. */
#define ROUND(row, segment, reduce)                                                                \
    I3 "row = " row "\n"                                                                           \
    BARRIER(I3, "row, me", "row, peer", "1")                                                       \
    I3 "start = (" segment ") % $P * $N\n"                                                         \
    I3 "for tile in pl.range($TILES):\n"                                                           \
    I4 "n = pl.min($W, $N - tile * $W)\n"                                                          \
    I4 "col = start + tile * $W\n"                                                                 \
    REMOTE(I4, "acc", "left", "0") reduce STORE(I4, "acc", "0")                                    \
    I3 "for line in pl.range(($N + 15) // 16):\n"                                                  \
    I4 "pl.system.cacheinvalid(target, [1, 1], [0, start + line * 16])\n"                          \
    I3 "pl.system.bar_all()\n"
static const char allreduce_ring[] =
    HEAD(WINDOW("target", "1", "$P * $N", "$T") ", " WINDOW("signal", "2 * $P - 1", "$P", "INT32"))
    I2 "left = (me + $P - 1) % $P\n"
    I2 "for step in pl.range(1, $P):\n"
    ROUND("step - 1", "me + 2 * $P - step - 1",
          LOAD(I4, "own", "0") I4 "acc = pl.tile.add(acc, own)\n")
    I2 "for step in pl.range(1, $P):\n"
    ROUND("$P - 2 + step", "me + $P - step", "")
    BARRIER(I2, "2 * $P - 2, me", "2 * $P - 2, peer", "1")
    I2 "for row in pl.range(2 * $P - 1):\n"
    TAKE_BACK(I3, "row, peer", "-1");
// clang-format on

/* What $N, the elements worked on in one piece, is of the data operand. */
enum piece { PIECE_NONE, PIECE_ALL, PIECE_PER_RANK };

static const struct builtin {
    const char *name, *text;
    int data, signal; /* operands; data: decides $T and $N */
    enum piece piece;
    const char *shapes; /* of each operand: A [1, N], R [P, N], S signal, C counts, Z [1, P N] */
} builtins[] = {
    {"builtin.tensor.allreduce", allreduce, 0, 1, PIECE_ALL, "AS"},
    {"builtin.tensor.allreduce_ring", allreduce_ring, 0, 1, PIECE_PER_RANK, "ZQ"},
    {"builtin.tensor.barrier", barrier, 0, 0, PIECE_NONE, "S"},
    {"builtin.tensor.broadcast", broadcast, 0, 1, PIECE_ALL, "AS"},
    {"builtin.tensor.reduce_scatter", reduce_scatter, 0, 1, PIECE_PER_RANK, "RS"},
    {"builtin.tensor.allgather", allgather, 1, 2, PIECE_PER_RANK, "ARS"},
    {"builtin.tensor.all_to_all", all_to_all, 1, 2, PIECE_PER_RANK, "RRS"},
    {"builtin.tensor.all_to_all_v", all_to_all_v, 1, 2, PIECE_PER_RANK, "RRSCC"},
};

struct word {
    const char *name, *value;
};

/* The text with every $NAME replaced; longer names are tried first. */
static char *substitute(struct arena *a, const char *text, const struct word *words, size_t n)
{
    struct strbuf b = strbuf_make(a);
    while (*text) {
        size_t plain = strcspn(text, "$"), w = 0;
        strbuf_addn(&b, text, plain);
        text += plain;
        if (!*text)
            break;
        while (w < n && strncmp(text + 1, words[w].name, strlen(words[w].name)))
            w++;
        strbuf_add(&b, w < n ? words[w].value : "");
        text += 1 + (w < n ? strlen(words[w].name) : 0);
    }
    return b.text;
}

static const char *type_word(enum elem e)
{
    static const char *const words[ELEM_COUNT] = {
        [ELEM_I8] = "INT8",   [ELEM_U8] = "UINT8", [ELEM_I16] = "INT16", [ELEM_I32] = "INT32",
        [ELEM_I64] = "INT64", [ELEM_F16] = "FP16", [ELEM_BF16] = "BF16", [ELEM_F32] = "FP32"};
    return words[e];
}

static int64_t count_of(const struct host_view *v)
{
    return host_view_bytes(v) / elem_size(v->elem);
}

/* Numbers that the text of one call depends on. */
struct sizes {
    int64_t n, width, tiles, lanes, rows, root, blocks, reduce;
    int ranks;
};

static bool int_keyword(struct host_run *h, const struct ir_expr *call, const char *name,
                        int64_t otherwise, int64_t *out)
{
    const struct ir_expr *e = host_attr(&call->call, name);
    *out = otherwise;
    return !e || host_int(h, e, name, out);
}

static bool measure(struct host_run *h, const struct builtin *b, const struct ir_expr *call,
                    const struct host_value *args, struct sizes *s)
{
    const struct host_view *data = &args[b->data].view, *signal = &args[b->signal].view;
    int64_t all = count_of(data), parts = b->piece == PIECE_PER_RANK ? s->ranks : 1;
    s->lanes = signal->ndims > 1 ? signal->shape[1] : 1;
    if (signal->elem != ELEM_I32 || signal->ndims > 2)
        return host_error(h, call->span, "the signal of '%s' must be INT32 with 1 or 2 dimensions",
                          call->call.name);
    if (b->piece != PIECE_NONE && (all < parts || all % parts))
        return host_error(h, call->span, "the data of '%s' must divide into %d equal parts",
                          call->call.name, s->ranks);
    s->n = all / parts;
    s->width = s->n < TILE_ELEMENTS ? s->n : TILE_ELEMENTS;
    s->tiles = (s->n + s->width - 1) / s->width;
    s->rows = data->shape[0] / s->ranks;
    return int_keyword(h, call, "root", 0, &s->root) &&
           int_keyword(h, call, "core_num", 1, &s->blocks) &&
           int_keyword(h, call, "op", 0, &s->reduce);
}

/* Every operand gets the shape that the text gives its parameter. */
static bool reshape(struct host_run *h, const struct builtin *b, const struct ir_expr *call,
                    struct host_value *args, size_t nargs, const struct sizes *s)
{
    for (size_t i = 0; i < nargs; i++) {
        struct host_view *v = &args[i].view;
        int64_t rows = 1, cols = s->n, have = count_of(v);
        switch (b->shapes[i]) {
        case 'R':
            rows = s->ranks;
            break;
        case 'S':
            rows = s->ranks;
            cols = s->lanes;
            break;
        case 'C':
            rows = s->ranks;
            cols = 1;
            break;
        case 'Q':
            rows = 2 * s->ranks - 1;
            cols = s->ranks;
            break;
        case 'Z':
            cols = s->ranks * s->n;
            break;
        }
        /* A signal may have more cells than ranks. */
        if (b->shapes[i] == 'S' ? have < rows * cols : have != rows * cols)
            return host_error(h, call->call.args.items[i]->span,
                              "'%s' expects %lld x %lld elements here", call->call.name,
                              (long long)rows, (long long)cols);
        v->ndims = 2;
        v->shape[0] = rows;
        v->shape[1] = v->stride[0] = cols;
        v->stride[1] = 1;
    }
    return true;
}

static const struct builtin *find_builtin(struct host_run *h, const struct ir_expr *call,
                                          size_t nargs, int ranks)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(builtins[i].name, call->call.name) && strlen(builtins[i].shapes) == nargs) {
            if (ranks >= 1 && ranks <= MAX_BUILTIN_RANKS)
                return &builtins[i];
            host_error(h, call->span, "'%s' runs on windows of a domain of 1 to %d ranks",
                       call->call.name, MAX_BUILTIN_RANKS);
            return NULL;
        }
    host_error(h, call->span, "the machine has no kernel for '%s' with %zu operands",
               call->call.name, nargs);
    return NULL;
}

static const char *decimal(struct arena *a, int64_t v)
{
    return arena_printf(a, "%lld", (long long)v);
}

static const struct ir_func *parse_kernel(struct host_run *h, const struct builtin *b,
                                          const struct ir_expr *call, const char *type,
                                          const struct sizes *s, const struct ir_program **program)
{
    static const char *const reduce[] = {"add", "maximum", "minimum", "mul"};
    struct arena *a = h->arena;
    const struct word words[] = {
        {"TILES", decimal(a, s->tiles)},   {"LANES", decimal(a, s->lanes)},
        {"BLOCKS", decimal(a, s->blocks)}, {"ROOT", decimal(a, s->root)},
        {"MAX", decimal(a, s->rows)},      {"OP", reduce[s->reduce & 3]},
        {"W", decimal(a, s->width)},       {"N", decimal(a, s->n)},
        {"P", decimal(a, s->ranks)},       {"T", type},
    };
    const char *text = substitute(a, b->text, words, sizeof words / sizeof *words);
    struct diag d = {.arena = a};
    const struct ir_program *p = ir_parse(a, source_from_string(a, call->call.name, text), &d);
    if (!p || !verify_program(p, &d)) {
        host_error(h, call->span, "'%s' cannot run with these operands: %s", call->call.name,
                   d.message);
        return NULL;
    }
    *program = p;
    return ir_find_func(p, "kernel");
}

bool host_builtin_make(struct host_run *h, const struct ir_expr *call, struct host_value *args,
                       size_t nargs, int ranks, struct host_builtin *out)
{
    const struct builtin *b = find_builtin(h, call, nargs, ranks);
    struct sizes s = {.ranks = ranks};
    if (!b || !measure(h, b, call, args, &s))
        return false;
    const char *type = type_word(args[b->data].view.elem);
    if (!reshape(h, b, call, args, nargs, &s))
        return false;
    /* Blocks beyond the signal's lanes retire at once. */
    s.blocks = s.blocks < s.lanes ? s.blocks : s.lanes;
    s.blocks = b->text == allreduce && s.blocks > 1 ? s.blocks : 1;
    out->blocks = (int)s.blocks;
    const char *key =
        arena_printf(h->arena, "%s %s %lld %lld %lld %lld %lld %lld %d", call->call.name, type,
                     (long long)s.n, (long long)s.lanes, (long long)s.rows, (long long)s.root,
                     (long long)s.blocks, (long long)s.reduce, ranks);
    vec_foreach (const struct host_kernel, k, &h->kernels)
        if (!strcmp(k->key, key)) {
            out->program = k->program;
            out->func = k->func;
            return true;
        }
    out->func = parse_kernel(h, b, call, type, &s, &out->program);
    struct host_kernel made = {key, out->program, out->func};
    vec_push(h->arena, &h->kernels, made);
    return out->func != NULL;
}
