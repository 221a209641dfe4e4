/* SPDX-License-Identifier: MIT */
#include "tests/litmus/random_kernel.h"

#include <stdbool.h>

#include "base/strbuf.h"

/* A tensor of one line is ROW elements, a window two; a tile is a part of a line. */
enum { ROW = 16, TILE = 8 };

struct maker {
    struct strbuf *out;
    bool
        scalar; /* ranks write their own window by words, not by tiles: a kernel may not mix both */
    struct rng rng;
    const char *indent;
    int names; /* variables of the function so far */
};

static int below(struct maker *m, int n)
{
    return (int)rng_below(&m->rng, (uint64_t)n);
}

#define LINE(m, ...) (strbuf_add((m)->out, (m)->indent), strbuf_addf((m)->out, __VA_ARGS__))

/* ---- writes and reads ---- */

/* Where data of a round is: a tile's worth of elements of a window, in the memory of one rank. */
struct place {
    int column, owner;
};

static void write_by_tile(struct maker *m, const char *into, int column)
{
    int n = m->names++;
    LINE(m, "t%d = pl.load(inp, [0, %d], [1, %d])\n", n, column % ROW, TILE);
    LINE(m, "pl.store(t%d, [0, %d], %s)\n", n, column, into);
}

static void write_by_scalar(struct maker *m, const char *into, int column)
{
    for (int n = 1 + below(m, 2); n > 0; n--)
        LINE(m, "pl.write(%s, [0, %d], %d)\n", into, column + below(m, TILE), 20 + m->names++);
}

static void make_tile(struct maker *m, int n)
{
    LINE(m, "t%d = pl.tile.create([1, %d], dtype=pl.INT32, target_memory=pl.Mem.Vec)\n", n, TILE);
}

static void write_remote(struct maker *m, int column)
{
    int n = m->names++;
    if (below(m, 2)) {
        LINE(m, "t%d = pl.load(inp, [0, %d], [1, %d])\n", n, column % ROW, TILE);
        LINE(m, "pld.tile.remote_store(t%d, win, peer, [0, %d])\n", n, column);
        return;
    }
    make_tile(m, n);
    LINE(m,
         "pld.tile.put(win, peer, inp, t%d, [0, %d], [0, 0], [1, %d], "
         "atomic=pld.AtomicType.%s)\n",
         n, column, TILE, below(m, 4) ? "None_" : "Add");
}

/* By a rank into the place, which is its own or its peer's. */
static void write_place(struct maker *m, struct place p, int rank)
{
    if (p.owner != rank)
        write_remote(m, p.column);
    else
        (m->scalar ? write_by_scalar : write_by_tile)(m, "win", p.column);
}

static void read_scalar(struct maker *m, const char *from, int column)
{
    int n = m->names++;
    LINE(m, "v%d = pl.read(%s, [0, %d])\n", n, from, column + below(m, TILE));
    if (below(m, 2))
        LINE(m, "pl.write(words, [0, %d], v%d)\n", n % ROW, n);
}

/* The element is said by a word that the own rank has written, or by a
 * tensor that nobody writes. */
static void read_at_index(struct maker *m, int column)
{
    int n = m->names++;
    if (below(m, 2)) {
        LINE(m, "pl.write(own, [0, 0], %d)\n", column + below(m, TILE));
        LINE(m, "i%d = pl.read(own, [0, 0])\n", n);
    } else {
        LINE(m, "i%d = pl.read(inp, [0, %d])\n", n, below(m, ROW));
    }
    LINE(m, "v%d = pl.read(win, [0, i%d])\n", n, n);
}

static void read_tile(struct maker *m, const char *from, int column)
{
    int n = m->names++;
    LINE(m, "t%d = pl.load(%s, [0, %d], [1, %d])\n", n, from, column, TILE);
    LINE(m, "pl.store(t%d, [0, 0], out)\n", n);
}

static void read_remote(struct maker *m, int column)
{
    int n = m->names++;
    if (below(m, 2)) {
        LINE(m, "t%d = pld.tile.remote_load(win, peer, [0, %d], [1, %d])\n", n, column, TILE);
        LINE(m, "pl.store(t%d, [0, 0], out)\n", n);
        return;
    }
    make_tile(m, n);
    LINE(m, "pld.tile.get(land, peer, win, t%d, [0, 0], [0, %d], [1, %d])\n", n, column, TILE);
    (below(m, 2) ? read_tile : read_scalar)(m, "land", 0);
}

static void read_place(struct maker *m, struct place p, int rank)
{
    if (p.owner != rank)
        read_remote(m, p.column);
    else if (below(m, 4) == 0)
        read_at_index(m, p.column);
    else
        (below(m, 2) ? read_tile : read_scalar)(m, "win", p.column);
}

static void some_fence(struct maker *m)
{
    if (below(m, 3) == 0)
        LINE(m, "pl.system.fence()\n");
}

/* ---- rounds ---- */

struct message {
    struct place place;
    int sender, signal;
    bool set; /* the notify sets the cell instead of adding to it */
};

static void send(struct maker *m, const struct message *x)
{
    write_place(m, x->place, x->sender);
    if (below(m, 4) == 0)
        write_by_scalar(m, "own", TILE);
    some_fence(m);
    LINE(m, "pld.system.notify(sig, peer, [0, %d], 1, op=pld.NotifyOp.%s)\n", x->signal,
         x->set ? "Set" : "AtomicAdd");
}

static void receive(struct maker *m, const struct message *x)
{
    if (below(m, 4) == 0) /* the other half of the line, which nobody writes now */
        read_scalar(m, "win", x->place.column ^ TILE);
    LINE(m, "pld.system.wait(sig, [0, %d], 1, cmp=pld.WaitCmp.Ge)\n", x->signal);
    some_fence(m);
    read_place(m, x->place, 1 - x->sender);
}

static struct message some_message(struct maker *m, int round)
{
    int sender = below(m, 2);
    struct place p = {TILE * below(m, 2 * ROW / TILE), below(m, 2)};
    return (struct message){p, sender, round * (below(m, 3) ? 1 : ROW), below(m, 4) == 0};
}

static void some_rounds(struct maker *m, int rank, const struct message *rounds, int n)
{
    for (int r = 0; r < n; r++)
        (rounds[r].sender == rank ? send : receive)(m, &rounds[r]);
}

/* ---- programs ---- */

#define HEAD                                                                                       \
    "# fencebench: ranks 2\n"                                                                      \
    "import pypto.language as pl\n"                                                                \
    "import pypto.language.distributed as pld\n"                                                   \
    "\n\n"                                                                                         \
    "@pl.program\n"                                                                                \
    "class Random:\n"

#define WINDOW(name, n) name ": pl.InOut[pld.DistributedTensor[[1, " #n "], pl.INT32]], "
#define TENSOR(name, n) name ": pl.InOut[pl.Tensor[[1, " #n "], pl.INT32]], "
#define PARAMETERS                                                                                 \
    "self, inp: pl.Tensor[[1, 16], pl.INT32], " WINDOW("win", 32) WINDOW("land", 16)               \
        WINDOW("sig", 32) TENSOR("own", 16) TENSOR("out", 16) TENSOR("words", 16)
#define ARGUMENTS "inp, win, land, sig, own, out, words"

enum { MAX_ROUNDS = 3 };

static void both_ranks(struct maker *m, const struct message *rounds, int n)
{
    strbuf_add(m->out, "        if role == 0:\n");
    some_rounds(m, 0, rounds, n);
    strbuf_add(m->out, "        else:\n");
    some_rounds(m, 1, rounds, n);
}

const char *random_kernel(struct arena *a, uint64_t seed)
{
    struct strbuf b = strbuf_make(a);
    struct maker m = {.out = &b, .rng = rng_make(seed, 91), .indent = "            "};
    struct message rounds[MAX_ROUNDS];
    int n = 1 + (below(&m, 3) == 0);
    m.scalar = below(&m, 2);
    for (int r = 0; r < n; r++)
        rounds[r] = some_message(&m, r);
    strbuf_add(
        &b, "# fencebench: arg role=rank\n"
            "# fencebench: arg peer=1-rank\n" HEAD "    @pl.function(type=pl.FunctionType.InCore)\n"
            "    def f(" PARAMETERS "role: pl.Scalar[pl.INT32], peer: pl.Scalar[pl.INT32]):\n");
    both_ranks(&m, rounds, n);
    return b.text;
}

static void one_task(struct maker *m, int number, const struct message *round)
{
    strbuf_addf(m->out,
                "    @pl.function(type=pl.FunctionType.InCore)\n"
                "    def k%d(" PARAMETERS "):\n"
                "        ctx = pld.system.get_comm_ctx(win)\n"
                "        role = pld.system.rank(ctx)\n"
                "        peer = 1 - role\n",
                number);
    both_ranks(m, round, 1);
    strbuf_add(m->out, "\n");
}

/* A kernel that touches one tensor of its own rank only, and may run beside another on a second
 * core: what it finds there depends on the cache of its core. */
static void local_task(struct maker *m, int number, bool window, bool writes, struct place p)
{
    const char *name = window ? "win" : "own", *kind = window ? "pld.Distributed" : "pl.";
    strbuf_addf(m->out,
                "    @pl.function(type=pl.FunctionType.InCore)\n"
                "    def k%d(self, %s: %s%sTensor[[1, %d], pl.INT32]%s):\n",
                number, name, writes ? "pl.InOut[" : "", kind, window ? 2 * ROW : ROW,
                writes ? "]" : "");
    m->indent = "        ";
    if (writes)
        write_by_scalar(m, name, p.column % TILE);
    else
        LINE(m, "v%d = pl.read(%s, [0, %d])\n", m->names++, name, p.column % ROW + below(m, 2));
    m->indent = "            ";
    strbuf_add(m->out, "\n");
}

static void host_function(struct strbuf *b)
{
    strbuf_add(
        b, "\n    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
           "    def main(self, inp: pl.Tensor[[2, 1, 16], pl.INT32], "
           "own: pl.InOut[pl.Tensor[[2, 1, 16], pl.INT32]], "
           "out: pl.InOut[pl.Tensor[[2, 1, 16], pl.INT32]], "
           "words: pl.InOut[pl.Tensor[[2, 1, 16], pl.INT32]]):\n"
           "        b0 = pld.tensor.alloc_window_buffer(128)\n"
           "        b1 = pld.tensor.alloc_window_buffer(64)\n"
           "        b2 = pld.tensor.alloc_window_buffer(128)\n"
           "        for r in pl.range(pld.system.world_size()):\n"
           "            win = pld.tensor.window(b0, [1, 32], dtype=pl.INT32)\n"
           "            land = pld.tensor.window(b1, [1, 16], dtype=pl.INT32)\n"
           "            sig = pld.tensor.window(b2, [1, 32], dtype=pl.INT32)\n"
           "            self.chip(inp[r], win, land, sig, own[r], out[r], words[r], device=r)\n");
}

const char *random_host_program(struct arena *a, uint64_t seed)
{
    enum { MAX_TASKS = 4 };
    struct strbuf b = strbuf_make(a);
    struct maker m = {.out = &b, .rng = rng_make(seed, 92), .indent = "            "};
    int n = 2 + below(&m, MAX_TASKS - 1), talks = below(&m, n);
    bool window[MAX_TASKS] = {false};
    struct message round = some_message(&m, 0);
    m.scalar = below(&m, 2);
    strbuf_add(&b, HEAD);
    for (int k = 0; k < n; k++) {
        window[k] = below(&m, 3);
        if (k == talks)
            one_task(&m, k, &round);
        else
            local_task(&m, k, window[k], below(&m, 3) == 0, round.place);
    }
    strbuf_add(&b, "    @pl.function(type=pl.FunctionType.Orchestration)\n"
                   "    def chip(" PARAMETERS "):\n");
    for (int k = 0; k < n; k++)
        strbuf_addf(&b, "        self.k%d(%s)\n", k,
                    k == talks  ? ARGUMENTS
                    : window[k] ? "win"
                                : "own");
    host_function(&b);
    return b.text;
}

/* ---- tasks of other forms ---- */

/* Two blocks of a launch at once, each on a core of its own: the words that they use share a line. */
static void blocks_task(struct maker *m, int number, bool writes)
{
    const char *kind =
        writes ? "pl.InOut[pl.Tensor[[1, 16], pl.INT32]]" : "pl.Tensor[[1, 16], pl.INT32]";
    strbuf_addf(m->out,
                "    @pl.function(type=pl.FunctionType.InCore)\n"
                "    def body%d(self, own: %s):\n"
                "        block = pl.tile.get_block_idx()\n",
                number, kind);
    if (writes)
        strbuf_addf(m->out, "        pl.write(own, [0, block * 4 + %d], %d)\n", below(m, 4),
                    20 + m->names++);
    strbuf_addf(m->out, "        v%d = pl.read(own, [0, block * 4 + %d])\n\n", m->names++,
                below(m, 4));
    strbuf_addf(m->out,
                "    @pl.function(type=pl.FunctionType.Spmd, attrs={\"core_num\": 2})\n"
                "    def k%d(self, own: %s):\n"
                "        self.body%d(own)\n\n",
                number, kind, number);
}

/* A task that is complete when the peer has notified, one that reads behind it what the peer has
 * written, and one that does the same for the peer. */
static void deferred_tasks(struct maker *m, int number)
{
    enum { CELL = 8 };
    struct place of[RANDOM_KERNEL_RANKS] = {{0, below(m, 2)}, {TILE, below(m, 2)}};
    strbuf_addf(m->out,
                "    @pl.function(type=pl.FunctionType.InCore, "
                "attrs={\"deferred_completion_waiter\": True})\n"
                "    def w%d(self, sig: pl.InOut[pld.DistributedTensor[[1, 32], pl.INT32]]):\n"
                "        pld.system.defer_wait(sig, [0, %d], 1, cmp=pld.WaitCmp.Ge)\n\n",
                number, CELL + number);
    for (int reads = 0; reads < 2; reads++) {
        strbuf_addf(m->out,
                    "    @pl.function(type=pl.FunctionType.InCore)\n"
                    "    def %c%d(" PARAMETERS "):\n"
                    "        ctx = pld.system.get_comm_ctx(win)\n"
                    "        role = pld.system.rank(ctx)\n"
                    "        peer = 1 - role\n",
                    reads ? 'r' : 'p', number);
        for (int rank = 0; rank < RANDOM_KERNEL_RANKS; rank++) {
            strbuf_add(m->out, rank ? "        else:\n" : "        if role == 0:\n");
            if (reads)
                read_place(m, of[1 - rank], rank);
            else
                send(m, &(struct message){of[rank], rank, CELL + number, below(m, 2)});
        }
        strbuf_add(m->out, "\n");
    }
}

enum form { TALKS, LOCAL, BLOCKS, DEFERRED, FORMS };

static void call_task(struct strbuf *b, enum form form, int k)
{
    if (form == DEFERRED)
        strbuf_addf(b,
                    "        with pl.manual_scope():\n"
                    "            come%d = pl.submit(self.w%d, sig)\n"
                    "            read%d = pl.submit(self.r%d, " ARGUMENTS ", deps=[come%d])\n"
                    "            self.p%d(" ARGUMENTS ")\n",
                    k, k, k, k, k, k);
    else
        strbuf_addf(b, "        self.k%d(%s)\n", k, form == TALKS ? ARGUMENTS : "own");
}

const char *random_task_program(struct arena *a, uint64_t seed)
{
    enum { MAX_TASKS = 2 };
    struct strbuf b = strbuf_make(a);
    struct maker m = {.out = &b, .rng = rng_make(seed, 95), .indent = "            "};
    enum form forms[MAX_TASKS];
    int n = 1 + below(&m, MAX_TASKS);
    m.scalar = below(&m, 2);
    strbuf_add(&b, HEAD);
    for (int k = 0; k < n; k++) {
        struct message round = some_message(&m, 0);
        round.signal = k;
        forms[k] = (enum form)below(&m, FORMS);
        if (forms[k] == TALKS)
            one_task(&m, k, &round);
        else if (forms[k] == LOCAL)
            local_task(&m, k, false, below(&m, 2), round.place);
        else if (forms[k] == BLOCKS)
            blocks_task(&m, k, below(&m, 3));
        else
            deferred_tasks(&m, k);
    }
    strbuf_add(&b, "    @pl.function(type=pl.FunctionType.Orchestration)\n"
                   "    def chip(" PARAMETERS "):\n");
    for (int k = 0; k < n; k++)
        call_task(&b, forms[k], k);
    host_function(&b);
    return b.text;
}
