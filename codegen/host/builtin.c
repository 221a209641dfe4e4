/* SPDX-License-Identifier: MIT */
/*
 * The builtin collectives of the host as kernels in the authoring language (pypto-facts 5.6):
 * codegen/host/builtin/NAME.py. The runtime's own are library code that no pass sees, so what they
 * contain of markers stands in the text there, and code generation adds none of its own.
 *
 * In the text these names stand for a number or a word that depends on the operands:
 *
 *     DTYPE element type   RANKS of the domain      WIDTH elements of a tile
 *     COUNT elements of a row, of a block, or of all that is worked on in one piece
 *     TILES in COUNT       LANES cells a rank has in the signal   BLOCKS tasks of a call
 *     OP tile operator     ROOT   MAX_ROWS a block may hold
 */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/table.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "builtin_texts.h"
#include "codegen/host/host_internal.h"

enum { TILE_ELEMENTS = 256, MAX_BUILTIN_RANKS = 16 };

/* What COUNT, the elements worked on in one piece, is of the data operand. */
enum data_piece { PIECE_NONE, PIECE_ALL, PIECE_PER_RANK };

static const struct builtin {
    const char *name, *text;
    int data, signal; /* operands; data: decides DTYPE and COUNT */
    enum data_piece piece;
    const char *shapes; /* of each operand: A [1, N], R [P, N], S signal, C counts, Z [1, P N] */
} builtins[] = {
    {"builtin.tensor.allreduce", allreduce_text, 0, 1, PIECE_ALL, "AS"},
    {"builtin.tensor.allreduce_ring", allreduce_ring_text, 0, 1, PIECE_PER_RANK, "ZQ"},
    {"builtin.tensor.barrier", barrier_text, 0, 0, PIECE_NONE, "S"},
    {"builtin.tensor.broadcast", broadcast_text, 0, 1, PIECE_ALL, "AS"},
    {"builtin.tensor.reduce_scatter", reduce_scatter_text, 0, 1, PIECE_PER_RANK, "RS"},
    {"builtin.tensor.allgather", allgather_text, 1, 2, PIECE_PER_RANK, "ARS"},
    {"builtin.tensor.all_to_all", all_to_all_text, 1, 2, PIECE_PER_RANK, "RRS"},
    {"builtin.tensor.all_to_all_v", all_to_all_v_text, 1, 2, PIECE_PER_RANK, "RRSCC"},
};

struct word {
    const char *name, *value;
};

/* The text with every name in it that is one of the words replaced. */
static char *substitute(struct arena *a, const char *text, const struct word *words, size_t n)
{
    struct strbuf b = strbuf_make(a);
    while (*text) {
        size_t len = 0, w = 0;
        while (isalnum((unsigned char)text[len]) || text[len] == '_')
            len++;
        while (w < n && (strlen(words[w].name) != len || strncmp(text, words[w].name, len)))
            w++;
        len = len ? len : 1;
        strbuf_addn(&b, w < n ? words[w].value : text, w < n ? strlen(words[w].value) : len);
        text += len;
    }
    return b.text;
}

static const char *type_word(enum elem e)
{
    static const char *const words[] = {
        [ELEM_I8] = "INT8",   [ELEM_U8] = "UINT8", [ELEM_I16] = "INT16", [ELEM_I32] = "INT32",
        [ELEM_I64] = "INT64", [ELEM_F16] = "FP16", [ELEM_BF16] = "BF16", [ELEM_F32] = "FP32"};
    ROW_EACH(words, ELEM_COUNT);
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

static char *kernel_text(struct arena *a, const struct builtin *b, const char *type,
                         const struct sizes *s)
{
    static const char *const reduce[] = {"add", "maximum", "minimum", "mul"};
    const struct word words[] = {
        {"TILES", arena_decimal(a, s->tiles)},   {"LANES", arena_decimal(a, s->lanes)},
        {"BLOCKS", arena_decimal(a, s->blocks)}, {"ROOT", arena_decimal(a, s->root)},
        {"MAX_ROWS", arena_decimal(a, s->rows)}, {"OP", reduce[s->reduce & 3]},
        {"WIDTH", arena_decimal(a, s->width)},   {"COUNT", arena_decimal(a, s->n)},
        {"RANKS", arena_decimal(a, s->ranks)},   {"DTYPE", type},
    };
    return substitute(a, b->text, words, sizeof words / sizeof *words);
}

static const struct host_kernel *parse_kernel(struct host_run *h, const struct ir_expr *call,
                                              const char *text)
{
    struct diag d = {.arena = h->arena};
    struct host_kernel k = {.text = text};
    k.program = ir_parse(h->arena, source_from_string(h->arena, call->call.name, text), &d);
    if (!k.program || !verify_program(k.program, &d)) {
        host_error(h, call->span, "'%s' cannot run with these operands: %s", call->call.name,
                   d.message);
        return NULL;
    }
    k.func = ir_find_func(k.program, "kernel");
    vec_push(h->arena, &h->kernels, k);
    return &h->kernels.items[h->kernels.len - 1];
}

const struct host_kernel *host_builtin_make(struct host_run *h, const struct ir_expr *call,
                                            struct host_value *args, size_t nargs, int ranks,
                                            int *blocks)
{
    const struct builtin *b = find_builtin(h, call, nargs, ranks);
    struct sizes s = {.ranks = ranks};
    if (!b || !measure(h, b, call, args, &s))
        return NULL;
    const char *type = type_word(args[b->data].view.elem);
    if (!reshape(h, b, call, args, nargs, &s))
        return NULL;
    /* Blocks beyond the signal's lanes retire at once. */
    s.blocks = s.blocks < s.lanes ? s.blocks : s.lanes;
    s.blocks = b->text == allreduce_text && s.blocks > 1 ? s.blocks : 1;
    *blocks = (int)s.blocks;
    const char *text = kernel_text(h->arena, b, type, &s);
    vec_foreach (const struct host_kernel, k, &h->kernels)
        if (!strcmp(k->text, text))
            return k;
    return parse_kernel(h, call, text);
}
