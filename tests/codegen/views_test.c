/* SPDX-License-Identifier: MIT */
/*
 * Where transfers and scalar accesses land: random programs of loads, stores, puts, gets, reads and
 * writes through slices and other shapes, with offsets and extents known at compile time or not,
 * against plain index arithmetic. Rank 0 does all of it; a second rank holds the peer's copies.
 */
#include "base/rng.h"
#include "base/strbuf.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "codegen/codegen.h"
#include "sim/driver.h"
#include "sim/oracle.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { PROGRAMS = 400, STEPS = 8, DIMS = 3, MAX_ELEMENTS = 144, TILES = 4, TURNS = 3 };

/* ---- tensors and their views, as lists of elements ---- */

static const struct tensor_row {
    const char *name;
    int ndims, shape[DIMS];
    bool window, input;
} tensors[] = {
    {"x", 2, {6, 24}, false, true},      {"w", 2, {6, 24}, true, false},
    {"w3", 3, {2, 3, 16}, true, false},  {"o", 2, {6, 24}, false, false},
    {"o3", 3, {2, 3, 16}, false, false},
};

static const char head[] =
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "@pl.program\n"
    "class T:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def k(self, x: pl.Tensor[[6, 24], pl.INT32], "
    "w: pl.InOut[pld.DistributedTensor[[6, 24], pl.INT32]], "
    "w3: pl.InOut[pld.DistributedTensor[[2, 3, 16], pl.INT32]], "
    "o: pl.InOut[pl.Tensor[[6, 24], pl.INT32]], o3: pl.InOut[pl.Tensor[[2, 3, 16], pl.INT32]]):\n"
    "        peer = 1 - pld.system.rank(pld.system.get_comm_ctx(w))\n"
    "        if peer == 1:\n"
    "            for turn in pl.range(0, 3):\n";
#define INDENT "                "

/* An integer of the program: base + factor * turn. */
struct number {
    int base, factor;
};

static int value(struct number n, int turn)
{
    return n.base + n.factor * turn;
}

struct view {
    const char *name;
    int tensor, ndims, shape[DIMS];
    int strides[DIMS]; /* elements of the tensor; offset: of element 0 */
    struct number offset;
    bool dense;
};

struct author {
    struct arena *a;
    struct rng rng;
    struct strbuf text;
    int names;
};

static int below(struct author *w, int n)
{
    return (int)rng_below(&w->rng, (uint64_t)n);
}

/* A number of at most `most` in each turn, and of at least 0. */
static struct number pick_number(struct author *w, int most)
{
    if (most >= TURNS - 1 && below(w, 3) == 0)
        return below(w, 2) ? (struct number){below(w, most - TURNS + 2), 1}
                           : (struct number){TURNS - 1 + below(w, most - TURNS + 2), -1};
    return (struct number){below(w, most + 1), 0};
}

static const char *number_text(struct author *w, struct number n)
{
    return !n.factor ? arena_printf(w->a, "%d", n.base)
                     : arena_printf(w->a, "%d %c turn", n.base, n.factor < 0 ? '-' : '+');
}

static const char *list_text(struct author *w, const struct number *n, int count)
{
    struct strbuf b = strbuf_make(w->a);
    for (int i = 0; i < count; i++)
        strbuf_addf(&b, "%s%s", i ? ", " : "[", number_text(w, n[i]));
    strbuf_add(&b, "]");
    return b.text;
}

static const char *fixed_text(struct author *w, const int *n, int count)
{
    struct number list[DIMS];
    for (int i = 0; i < count; i++)
        list[i] = (struct number){n[i], 0};
    return list_text(w, list, count);
}

static const char *fresh(struct author *w, const char *prefix)
{
    return arena_printf(w->a, "%s%d", prefix, w->names++);
}

static void slice(struct author *w, struct view *v)
{
    int shape[DIMS];
    struct number at[DIMS];
    const char *name = fresh(w, "v");
    for (int i = 0; i < v->ndims; i++) {
        shape[i] = 1 + below(w, v->shape[i]);
        at[i] = pick_number(w, v->shape[i] - shape[i]);
        v->offset.base += at[i].base * v->strides[i];
        v->offset.factor += at[i].factor * v->strides[i];
        v->dense &= i == 0 || shape[i] == v->shape[i];
    }
    strbuf_addf(&w->text, INDENT "%s = pl.tensor.slice(%s, %s, %s)\n", name, v->name,
                fixed_text(w, shape, v->ndims), list_text(w, at, v->ndims));
    memcpy(v->shape, shape, sizeof shape);
    v->name = name;
}

/* Another shape of as many elements, in two dimensions. */
static void reshape(struct author *w, struct view *v)
{
    int n = 1, rows;
    const char *name = fresh(w, "v");
    for (int i = 0; i < v->ndims; i++)
        n *= v->shape[i];
    do
        rows = 1 + below(w, n < 8 ? n : 8);
    while (n % rows);
    v->ndims = 2;
    v->shape[0] = rows;
    v->shape[1] = v->strides[0] = n / rows;
    v->strides[1] = 1;
    strbuf_addf(&w->text, INDENT "%s = pl.tensor.reshape(%s, %s)\n", name, v->name,
                fixed_text(w, v->shape, 2));
    v->name = name;
}

static struct view pick_view(struct author *w, int tensor)
{
    const struct tensor_row *t = &tensors[tensor];
    struct view v = {.name = t->name, .tensor = tensor, .ndims = t->ndims, .dense = true};
    int stride = 1;
    for (int i = t->ndims - 1; i >= 0; i--) {
        v.shape[i] = t->shape[i];
        v.strides[i] = stride;
        stride *= t->shape[i];
    }
    for (int n = below(w, 3); n > 0; n--) {
        if (v.dense && below(w, 3) == 0)
            reshape(w, &v);
        else
            slice(w, &v);
    }
    return v;
}

/* A tensor that is a window or not, input or not, as asked; -1: either. */
static int pick_tensor(struct author *w, int window, int input)
{
    for (;;) {
        int t = below(w, (int)COUNT(tensors));
        if ((window < 0 || tensors[t].window == window) && (input < 0 || tensors[t].input == input))
            return t;
    }
}

/* ---- regions ---- */

struct region_pick {
    int ndims, shape[DIMS];
    struct number at[DIMS], extent[DIMS]; /* extent: of what is transferred, shape or less */
};

/* Rows in one dimension, or in all of a dense part. */
static void pick_shape(struct author *w, const int *most, int ndims, struct region_pick *r)
{
    int rows = below(w, ndims - 1);
    bool full = ndims == 3 && below(w, 3) == 0;
    r->ndims = ndims;
    for (int i = 0; i < ndims - 1; i++)
        r->shape[i] = full && i ? most[i] : full || i == rows ? 1 + below(w, most[i]) : 1;
    r->shape[ndims - 1] = 1 + below(w, most[ndims - 1]);
    for (int i = 0; i < ndims; i++)
        r->extent[i] = (struct number){r->shape[i], 0};
}

static void place(struct author *w, const struct view *v, struct region_pick *r)
{
    for (int i = 0; i < v->ndims; i++)
        r->at[i] = pick_number(w, v->shape[i] - r->shape[i]);
}

/* Do the rows of the region lie evenly spaced, as a transfer of two dimensions needs? */
static bool even(const struct view *v, const struct region_pick *r)
{
    int rows = 1, stride = 0;
    for (int i = v->ndims - 2; i >= 0; i--) {
        if (r->shape[i] == 1)
            continue;
        if (rows > 1 && v->strides[i] != stride * rows)
            return false;
        stride = rows > 1 ? stride : v->strides[i];
        rows *= r->shape[i];
    }
    return true;
}

/* Number of the tensor's element for element `index` of the region; -1: not part of the extents. */
static int element(const struct view *v, const struct region_pick *r, int index, int turn)
{
    int at = value(v->offset, turn);
    for (int i = v->ndims - 1; i >= 0; i--) {
        int k = index % r->shape[i];
        index /= r->shape[i];
        if (k >= value(r->extent[i], turn))
            return -1;
        at += (value(r->at[i], turn) + k) * v->strides[i];
    }
    return at;
}

static int elements(const struct region_pick *r)
{
    int n = 1;
    for (int i = 0; i < r->ndims; i++)
        n *= r->shape[i];
    return n;
}

/* ---- what the program does, turn for turn ---- */

struct action {
    enum { LOAD, STORE, COPY, SCALAR } kind;
    struct view from, to;
    struct region_pick source, target;
    int tile, from_rank, to_rank;
    bool add;
};

struct memory {
    int32_t word[COUNT(tensors)][2][MAX_ELEMENTS];
    int32_t tile[TILES][MAX_ELEMENTS];
};

static void write_word(struct memory *m, const struct action *s, int at, int32_t word)
{
    int32_t *to = &m->word[s->to.tensor][s->to_rank][at];
    *to = s->add ? *to + word : word;
}

static void perform(struct memory *m, const struct action *s, int turn)
{
    int32_t buffer[MAX_ELEMENTS];
    const struct region_pick *r = s->kind == STORE ? &s->target : &s->source;
    for (int i = 0; i < elements(r); i++) {
        int from = s->kind == STORE ? 0 : element(&s->from, &s->source, i, turn);
        int32_t *cell = s->kind == LOAD ? &m->tile[s->tile][i] : &buffer[i];
        if (s->kind != STORE && from >= 0)
            *cell = m->word[s->from.tensor][s->from_rank][from] + (s->kind == SCALAR);
    }
    for (int i = 0; s->kind != LOAD && i < elements(r); i++) {
        struct region_pick target = s->target;
        memcpy(target.extent, r->extent, sizeof target.extent);
        int to = element(&s->to, &target, i, turn);
        if (to >= 0)
            write_word(m, s, to, s->kind == STORE ? m->tile[s->tile][i] : buffer[i]);
    }
}

/* ---- the text ---- */

static const char *peer_word(int rank)
{
    return rank ? "peer, " : "";
}

/* Fewer columns than the tile has, or as many as the turn says. */
static void pick_valid(struct author *w, struct region_pick *r)
{
    int last = r->ndims - 1, kind = below(w, 4);
    if (kind == 0)
        r->extent[last].base = 1 + below(w, r->shape[last]);
    if (kind == 1 && r->shape[last] >= TURNS)
        r->extent[last] = (struct number){1 + below(w, r->shape[last] - TURNS + 1), 1};
}

static bool write_load(struct author *w, struct action *s)
{
    s->kind = LOAD;
    s->from_rank = below(w, 3) == 0;
    s->from = pick_view(w, pick_tensor(w, s->from_rank ? 1 : -1, -1));
    pick_shape(w, s->from.shape, s->from.ndims, &s->source);
    place(w, &s->from, &s->source);
    pick_valid(w, &s->source);
    strbuf_addf(&w->text, INDENT "t%d_%d = %s(%s, %s%s, %s, %s)\n", s->tile, w->names++,
                s->from_rank ? "pld.tile.remote_load" : "pl.load", s->from.name,
                peer_word(s->from_rank), list_text(w, s->source.at, s->from.ndims),
                fixed_text(w, s->source.shape, s->from.ndims),
                list_text(w, s->source.extent, s->from.ndims));
    return even(&s->from, &s->source);
}

/* Stores what `load` has loaded, into a view with room for it. */
static bool write_store(struct author *w, struct action *s, const struct action *load, int name)
{
    s->kind = STORE;
    s->tile = load->tile;
    s->to_rank = below(w, 3) == 0;
    s->add = below(w, 4) == 0;
    s->to = pick_view(w, pick_tensor(w, s->to_rank ? 1 : -1, 0));
    s->target = load->source;
    if (s->to.ndims != load->source.ndims)
        return false;
    for (int i = 0; i < s->to.ndims; i++)
        if (s->to.shape[i] < s->target.shape[i])
            return false;
    place(w, &s->to, &s->target);
    const char *at = list_text(w, s->target.at, s->to.ndims), *add = s->add ? "Add" : "None_";
    if (s->to_rank)
        strbuf_addf(&w->text,
                    INDENT "pld.tile.remote_store(t%d_%d, %s, peer, %s, "
                           "atomic=pl.AtomicType.%s)\n",
                    s->tile, name, s->to.name, at, add);
    else
        strbuf_addf(&w->text, INDENT "pl.store(t%d_%d, %s, %s, atomic=pl.AtomicType.%s)\n", s->tile,
                    name, at, s->to.name, add);
    return even(&s->to, &s->target);
}

static bool write_copy(struct author *w, struct action *s)
{
    bool put = below(w, 2);
    s->kind = COPY;
    s->from_rank = !put;
    s->to_rank = put;
    s->to = pick_view(w, pick_tensor(w, put ? 1 : -1, 0));
    s->from = pick_view(w, pick_tensor(w, put ? -1 : 1, -1));
    if (s->to.ndims != s->from.ndims || s->to.tensor == s->from.tensor)
        return false;
    int most[DIMS];
    for (int i = 0; i < s->to.ndims; i++)
        most[i] = s->to.shape[i] < s->from.shape[i] ? s->to.shape[i] : s->from.shape[i];
    pick_shape(w, most, s->to.ndims, &s->source);
    s->target = s->source;
    place(w, &s->from, &s->source);
    place(w, &s->to, &s->target);
    pick_valid(w, &s->source);
    int last = s->to.ndims - 1, rows = elements(&s->source) / s->source.shape[last],
        cols = s->source.extent[last].factor ? s->source.shape[last] : s->source.extent[last].base;
    if (below(w, 2)) { /* in pieces */
        rows = 1 + below(w, rows);
        cols = 1 + below(w, cols);
    }
    const char *stage = fresh(w, "s");
    s->add = put && below(w, 4) == 0;
    strbuf_addf(&w->text,
                INDENT "%s = pl.tile.create([%d, %d], dtype=pl.INT32, target_memory=pl.Mem.Vec)\n",
                stage, rows, cols);
    strbuf_addf(&w->text, INDENT "pld.tile.%s(%s, peer, %s, %s, %s, %s, %s%s)\n",
                put ? "put" : "get", s->to.name, s->from.name, stage,
                list_text(w, s->target.at, s->to.ndims), list_text(w, s->source.at, s->to.ndims),
                list_text(w, s->source.extent, s->to.ndims),
                !put     ? ""
                : s->add ? ", atomic=pl.AtomicType.Add"
                         : ", atomic=pl.AtomicType.None_");
    return even(&s->to, &s->target) && even(&s->from, &s->source);
}

/* Slices as a whole, one put into the other's place. */
static bool write_whole_copy(struct author *w, struct action *s)
{
    s->kind = COPY;
    s->to_rank = 1;
    s->to = pick_view(w, pick_tensor(w, 1, 0));
    s->from = pick_view(w, pick_tensor(w, -1, -1));
    if (s->to.ndims != s->from.ndims || s->to.tensor == s->from.tensor)
        return false;
    int most[DIMS];
    for (int i = 0; i < s->to.ndims; i++)
        most[i] = s->to.shape[i] < s->from.shape[i] ? s->to.shape[i] : s->from.shape[i];
    pick_shape(w, most, s->to.ndims, &s->source);
    s->target = s->source;
    place(w, &s->from, &s->source);
    place(w, &s->to, &s->target);
    pick_valid(w, &s->source);
    const char *to = fresh(w, "v"), *from = fresh(w, "v"), *stage = fresh(w, "s"),
               *shape = list_text(w, s->source.extent, s->to.ndims);
    strbuf_addf(&w->text, INDENT "%s = pl.tensor.slice(%s, %s, %s)\n", to, s->to.name, shape,
                list_text(w, s->target.at, s->to.ndims));
    strbuf_addf(&w->text, INDENT "%s = pl.tensor.slice(%s, %s, %s)\n", from, s->from.name, shape,
                list_text(w, s->source.at, s->to.ndims));
    strbuf_addf(&w->text,
                INDENT
                "%s = pl.tile.create([1, 1], dtype=pl.INT32, target_memory=pl.Mem.Vec)\n" INDENT
                "pld.tile.put(%s, peer, %s, %s, atomic=pl.AtomicType.None_)\n",
                stage, to, from, stage);
    return even(&s->to, &s->target) && even(&s->from, &s->source);
}

/* A word, at its place or by its number in the order of the rows. */
static bool write_scalar(struct author *w, struct action *s)
{
    s->kind = SCALAR;
    s->from = pick_view(w, pick_tensor(w, -1, -1));
    s->to = pick_view(w, pick_tensor(w, -1, 0));
    struct region_pick *ends[] = {&s->source, &s->target};
    const struct view *views[] = {&s->from, &s->to};
    const char *at[2];
    for (int k = 0; k < 2; k++) {
        ends[k]->ndims = views[k]->ndims;
        for (int i = 0; i < DIMS; i++) {
            ends[k]->shape[i] = 1;
            ends[k]->extent[i] = (struct number){1, 0};
        }
        place(w, views[k], ends[k]);
        at[k] = list_text(w, ends[k]->at, views[k]->ndims);
    }
    if (below(w, 3) == 0) {
        struct number flat = {0, 0};
        for (int i = 0; i < s->from.ndims; i++) {
            flat.base = flat.base * s->from.shape[i] + s->source.at[i].base;
            flat.factor = flat.factor * s->from.shape[i] + s->source.at[i].factor;
        }
        at[0] = arena_printf(w->a, "%d + turn * %d", flat.base, flat.factor);
    }
    strbuf_addf(&w->text, INDENT "pl.write(%s, %s, pl.read(%s, %s) + 1)\n", s->to.name, at[1],
                s->from.name, at[0]);
    return true;
}

/* A step that cannot be written leaves no text. Its views may move with the turn, so all of them
 * are made again where they are used. */
static int write_steps(struct author *w, struct action *steps)
{
    int n = 0, names[STEPS];
    while (n < STEPS) {
        struct action s = {.tile = n % TILES};
        size_t before = w->text.len;
        int kind = below(w, 4), load = n - 1;
        while (load > n - TILES && load >= 0 && steps[load].kind != LOAD)
            load--;
        names[n] = -1;
        bool written = false;
        if (kind == 0) {
            written = write_load(w, &s);
            names[n] = w->names - 1;
        } else if (kind == 1 && load >= 0 && steps[load].kind == LOAD && n - load < TILES) {
            written = write_store(w, &s, &steps[load], names[load]);
        } else if (kind == 2) {
            written = below(w, 4) ? write_copy(w, &s) : write_whole_copy(w, &s);
        } else if (kind == 3) {
            written = write_scalar(w, &s);
        }
        if (written)
            steps[n++] = s;
        else
            w->text.text[w->text.len = before] = 0;
    }
    return n;
}

/* ---- against the machine ---- */

static void expect_memory(const struct machine *m, const struct memory *expected, uint64_t number,
                          const char *text)
{
    for (int t = 0; t < (int)COUNT(tensors); t++)
        for (int rank = 0; rank < 2; rank++)
            for (int i = 0; i < m->program->nregions; i++) {
                const struct region *r = &m->program->regions[i];
                if (!strcmp(r->name, tensors[t].name))
                    cr_expect(!memcmp(m->gm[rank] + r->offset, expected->word[t][rank], r->size),
                              "program %llu: %s of rank %d\n%s", (unsigned long long)number,
                              r->name, rank, text);
            }
}

static void fill(struct memory *m)
{
    memset(m, 0, sizeof *m);
    for (int t = 0; t < (int)COUNT(tensors); t++)
        for (int rank = 0; rank < 2 && !tensors[t].window; rank++)
            for (int i = 0; i < MAX_ELEMENTS; i++)
                m->word[t][rank][i] = (5 * i + 3 * rank) % 7 + 1;
}

static struct machine *run(struct arena *a, const char *text, uint64_t number)
{
    struct diag d = {.arena = a};
    struct directives dir = {0};
    const struct toolchain *t = toolchain_load(a, "models", "ptoas-0.57", &d);
    const struct contract *sc = contract_load(a, "models", "sc", &d);
    const struct ir_program *p = ir_parse(a, source_from_string(a, "t.py", text), &d);
    struct codegen_options o = {.toolchain = t, .nranks = 2};
    struct program *made =
        p && verify_program(p, &d) && t && sc ? codegen(a, p, &dir, &o, &d) : NULL;
    cr_assert(made, "program %llu: %s\n%s", (unsigned long long)number, diag_text(&d, a), text);
    struct oracle *oracle = oracle_new(made);
    struct machine *m =
        machine_new(made, sc, (struct machine_options){.oracle = oracle, .kernel = true});
    struct drive_options drive = {.seed = 1, .max_transitions = 1000 * 1000};
    struct drive_result result = {0};
    machine_reset(m);
    drive_timed(m, &drive, &result);
    oracle_finish(oracle, m);
    int n;
    const struct finding *f = oracle_findings(oracle, &n);
    cr_expect(n == 0 && !result.timed_out, "program %llu: %s\n%s", (unsigned long long)number,
              n ? verdict_name(f->verdict) : "does not end", text);
    oracle_free(oracle);
    return m;
}

Test(views, land_where_index_arithmetic_says, .timeout = 300)
{
    int kinds[4] = {0};
    for (uint64_t number = 1; number <= PROGRAMS; number++) {
        struct arena a = {0};
        struct author w = {.a = &a, .rng = rng_make(number, 7), .text = strbuf_make(&a)};
        struct action steps[STEPS];
        struct memory m;
        strbuf_add(&w.text, head);
        int n = write_steps(&w, steps);
        fill(&m);
        for (int turn = 0; turn < TURNS; turn++)
            for (int i = 0; i < n; i++) {
                perform(&m, &steps[i], turn);
                kinds[steps[i].kind]++;
            }
        struct machine *machine = run(&a, w.text.text, number);
        expect_memory(machine, &m, number, w.text.text);
        machine_free(machine);
        arena_free(&a);
    }
    for (size_t k = 0; k < COUNT(kinds); k++)
        cr_expect(kinds[k] > PROGRAMS, "kind %zu: %d times", k, kinds[k]);
}

/* ---- strides and layouts that a parameter's type gives ---- */

static const char layout_text[] =
    "import pypto.language as pl\n"
    "@pl.program\n"
    "class T:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def k(self, x: pl.Tensor[[2, 4], pl.INT32, pl.TensorView(stride=[8, 1], "
    "layout=pl.TensorLayout.ND)], "
    "y: pl.InOut[pl.Tensor[[3, 2], pl.INT32, pl.TensorView(layout=pl.TensorLayout.DN)]], "
    "z: pl.InOut[pl.Tensor[[2, 4], pl.INT32]]):\n"
    "        t = pl.load(x, [0, 0], [2, 4])\n"
    "        pl.store(t, [0, 0], z)\n"
    "        pl.write(y, [2, 0], 100)\n"
    "        pl.write(y, [0, 1], 200)\n";

Test(views, strides_and_layouts_of_parameters)
{
    /* Rows of x lie 8 elements apart; y's columns lie one behind the other. */
    static const struct {
        const char *name;
        int count;
        int32_t words[12];
    } rows[] = {
        {"x", 12, {1, 6, 4, 2, 7, 5, 3, 1, 6, 4, 2, 7}},
        {"y", 6, {1, 6, 100, 200, 7, 5}},
        {"z", 8, {1, 6, 4, 2, 6, 4, 2, 7}},
    };
    struct arena a = {0};
    struct machine *m = run(&a, layout_text, 0);
    for (size_t k = 0; k < COUNT(rows); k++)
        for (int i = 0; i < m->program->nregions; i++) {
            const struct region *r = &m->program->regions[i];
            if (strcmp(r->name, rows[k].name))
                continue;
            cr_expect(r->size == 4 * (uint64_t)rows[k].count, "%s: size", r->name);
            cr_expect(!memcmp(m->gm[0] + r->offset, rows[k].words, r->size), "%s", r->name);
        }
    machine_free(m);
    arena_free(&a);
}
