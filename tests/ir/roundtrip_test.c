/* SPDX-License-Identifier: MIT */
/*
 * The law parse(print(p)) = p, over kernels, over random programs and over programs whose variables
 * all have one name; and that no text, however damaged, does more than give one error.
 */
#include "tests/ir/helpers.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

#include "base/rng.h"
#include "tests/ir/random_program.h"

enum { MUTATIONS = 4000 };

/* Forms of real programs in one text: both spellings, markers, loops with state, host functions,
 * windows. */
static const char sample[] =
    "# pypto.program: sample\n"
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "\n"
    "NR = pl.dynamic(\"NR\")\n"
    "SIZE = 64  # elements\n"
    "EPS = 1e-6\n"
    "\n"
    "@pl.program\n"
    "class Sample:\n"
    "    \"\"\"All of it.\"\"\"\n"
    "\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def kernel(self, inp: pl.Tensor[[1, SIZE], pl.FP32],\n"
    "               win: pl.InOut[pld.DistributedTensor[[1, SIZE], pl.FP32]],\n"
    "               sig: pl.InOut[pld.DistributedTensor[[NR, 1], pl.INT32]],\n"
    "               out: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]]) -> pl.Tensor[[1, SIZE], pl.FP32]:\n"
    "        ctx = pld.system.get_comm_ctx(win)\n"
    "        me = pld.system.rank(ctx)\n"
    "        nranks = pld.system.nranks(ctx)\n"
    "        pl.store(pl.load(inp, [0, 0], [1, SIZE]), [0, 0], win)\n"
    "        for peer in pl.range(nranks):\n"
    "            if peer != me:\n"
    "                pld.system.notify(sig, peer, [me, 0], 1, op=pld.NotifyOp.AtomicAdd)\n"
    "        for src in pl.range(nranks):\n"
    "            if src != me:\n"
    "                pld.system.wait(sig, [src, 0], 1, cmp=pld.WaitCmp.Ge)\n"
    "        acc = pl.load(win, [0, 0], [1, SIZE])\n"
    "        for peer in pl.range(nranks):\n"
    "            if peer != me:\n"
    "                acc = pl.add(acc, pld.tile.remote_load(win, peer, [0, 0], [1, SIZE]))\n"
    "            elif nranks - 1 <= peer and not (peer == 0):\n"
    "                continue\n"
    "            else:\n"
    "                pass\n"
    "        out = pl.store(pl.add(acc, EPS), [0, 0], out)\n"
    "        return out\n"
    "\n"
    "    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)\n"
    "    def state(x__ssa_v0: pl.Out[pl.Tensor[[rows * pl.const(2, pl.INDEX), 64], pl.FP32, "
    "pl.MemRef(\"mem_ddr_0\", pl.const(0, pl.INT64), 0)]], n__ssa_v0: pl.Scalar[pl.INDEX]):\n"
    "        mem_vec_6: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 256)\n"
    "        for i__idx_v0, (x__iter_v1,) in pl.range(n__ssa_v0, init_values=(x__ssa_v0,)):\n"
    "            if 0 <= i__idx_v0 - 1:\n"
    "                t__tile: pl.Tile[[1, 64], pl.FP32, pl.MemRef(mem_vec_6, pl.const(0, "
    "pl.INT64), 256), "
    "pl.Mem.Vec] = (\n"
    "                    pl.tile.load(x__iter_v1, [i__idx_v0, 0], [1, 64], [1, 64], "
    "target_memory=pl.Mem.Vec)\n"
    "                )\n"
    "                x__tile = pl.tile.store(t__tile, [i__idx_v0, 0], x__iter_v1)\n"
    "                pl.system.cacheinvalid()\n"
    "                pl.system.fence()\n"
    "                x__phi_v5 = pl.yield_(x__tile)\n"
    "            else:\n"
    "                x__phi_v5 = pl.yield_(x__iter_v1)\n"
    "            x__rv_v2 = pl.yield_(x__phi_v5)\n"
    "        for (k__iter,) in pl.while_(init_values=(n__ssa_v0,)):\n"
    "            pl.cond(k__iter > 1)\n"
    "            k__rv = pl.yield_(k__iter // 2)\n"
    "        return\n"
    "\n"
    "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
    "    def main(self, x: pl.Tensor[[2, SIZE], pl.FP32]):\n"
    "        with pl._dump.comm_domain(name='comm_d0', devices=[], attrs={}, "
    "slots=[pl._dump.window_buffer(\"buf_window\", base=\"buf\", size=ws * 256)]):\n"
    "            ws = pld.world_size()\n"
    "            buf = pld.alloc_window_buffer(ws * 256)\n"
    "            for r in pl.range(ws):\n"
    "                w: pld.DistributedTensor[[1, SIZE], pl.FP32, "
    "pl._dump.window_ref(\"buf_window\")] = "
    "pld.window(buf, [1, SIZE], dtype=pl.FP32)\n"
    "                y = pl.tensor.slice(x, [1, SIZE], [r, 0], [], [0])\n"
    "                out, tid = pl.submit(self.kernel, x[r], w, w, y, deps=[], attrs={\"device\": "
    "r})\n"
    "                self.kernel(y, w, w, y, device=(r + 1) % ws, attrs={\"arg_directions\": "
    "[pl.adir.input]})\n";

/* ---- one name for all variables ---- */

static void rename_block(const ir_block *block);

static void rename_all(const ir_vars *vars)
{
    vec_foreach (struct ir_var *, v, vars)
        (*v)->name = "v";
}

static void rename_stmt(struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        rename_all(&s->assign.targets);
        break;
    case IR_IF:
        rename_block(&s->if_.then_body);
        rename_block(&s->if_.else_body);
        rename_all(&s->if_.results);
        break;
    case IR_FOR:
        s->for_.var->name = "v";
        rename_all(&s->for_.iter_args);
        rename_block(&s->for_.body);
        rename_all(&s->for_.results);
        break;
    case IR_WHILE:
        rename_all(&s->while_.iter_args);
        rename_block(&s->while_.body);
        rename_all(&s->while_.results);
        break;
    case IR_SCOPE:
        if (s->scope.var)
            s->scope.var->name = "v";
        rename_block(&s->scope.body);
        break;
    default:
        break;
    }
}

static void rename_block(const ir_block *block)
{
    vec_foreach (struct ir_stmt *, s, block)
        rename_stmt(*s);
}

/* Passes make variables freely: the printer alone keeps their names apart. */
static void expect_law(const char *name, const char *text)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, name, text);
    expect_round_trip(name, p);
    uint64_t hash = ir_hash(p);
    vec_foreach (struct ir_func *, f, &p->funcs) {
        vec_foreach (struct ir_param, param, &(*f)->params)
            param->var->name = "v";
        rename_block(&(*f)->body);
    }
    rename_all(&p->implicit_symbols);
    cr_expect(ir_hash(p) == hash, "%s: names do not count", name);
    if (p->implicit_symbols.len <= 1) /* several symbols of one name have no text */
        expect_round_trip(name, p);
    arena_free(&a);
}

Test(roundtrip, sample)
{
    expect_law("sample", sample);
}

/* Every program that the repository holds. */
static int expect_file_law(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)at;
    size_t len = strlen(path);
    if (type != FTW_F || len < 3 || strcmp(path + len - 3, ".py") != 0)
        return 0;
    if (strstr(path, "/cases/") &&
        !strstr(path, "/program_")) /* a part of a program, or a bad one */
        return 0;
    if (strstr(path, "tests/files/") && !strstr(path, "in_one_file"))
        return 0; /* the text alone lacks what it imports: tests/bench/files_test.c */
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct source *src = source_read(&a, path, &d);
    cr_assert(src, "%s", diag_text(&d, &a));
    expect_law(path, src->text);
    arena_free(&a);
    return 0;
}

Test(roundtrip, files)
{
    static const char *const folders[] = {"litmus", "kernels", "tests"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        cr_assert(nftw(folders[i], expect_file_law, 16, FTW_PHYS) == 0, "%s cannot be walked",
                  folders[i]);
}

/* ---- random programs ---- */

/* Criterion runs each test in a process of its own: the seeds are spread over several. */
enum { PROGRAMS_PER_TEST = 2500, SEEN_AT_LEAST = 20, RENAMED_ONE_IN = 5 };

static void expect_laws(uint64_t first)
{
    struct arena names = {0};
    struct coverage seen;
    coverage_init(&seen, &names);
    for (uint64_t seed = first; seed < first + PROGRAMS_PER_TEST; seed++) {
        struct arena a = {0};
        const char *name = arena_printf(&a, "seed %lu", (unsigned long)seed);
        const char *text = random_program(&a, seed);
        struct ir_program *p = parse_good(&a, name, text);
        coverage_add(&seen, p);
        if (seed % RENAMED_ONE_IN == 0)
            expect_law(name, text);
        else
            expect_round_trip(name, p);
        arena_free(&a);
    }
    for (size_t i = 0; i < seen.len; i++)
        cr_expect(seen.items[i].seen >= SEEN_AT_LEAST, "%s: generated %zu times, expected %d",
                  seen.items[i].name, seen.items[i].seen, SEEN_AT_LEAST);
    arena_free(&names);
}

#define LAWS(n)                                                                                    \
    Test(roundtrip, random_programs_##n)                                                           \
    {                                                                                              \
        expect_laws((n) * (uint64_t)PROGRAMS_PER_TEST);                                            \
    }
LAWS(0)
LAWS(1)
LAWS(2)
LAWS(3)

/* ---- damaged texts ---- */

/* One error that points into the text, or a program that obeys the law. */
static void expect_one_answer(const char *name, const char *text)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    struct ir_program *p = ir_parse(&a, source_from_string(&a, "t.py", text), &d);
    cr_expect((p == NULL) == d.failed, "%s", name);
    cr_expect(p || (d.message && d.message[0] && d.span.line >= 0 && d.span.col >= 0), "%s", name);
    if (p)
        expect_round_trip(name, p);
    arena_free(&a);
}

Test(roundtrip, truncation_at_every_byte)
{
    struct arena a = {0};
    char *text = arena_strdup(&a, sample);
    for (size_t len = strlen(text); len-- > 0;) {
        text[len] = '\0';
        expect_one_answer("truncated", text);
    }
    arena_free(&a);
}

/* Overwrites, deletes or repeats bytes. */
static void mutate(struct rng *r, char *text)
{
    static const char bytes[] = "()[]{}:=,.\"'\\\n #@+-*/%<>!0aZ_\t\x80\xff";
    size_t len = strlen(text);
    for (uint64_t n = 1 + rng_below(r, 4); n > 0; n--) {
        size_t at = (size_t)rng_below(r, len);
        switch (rng_below(r, 3)) {
        case 0:
            text[at] = bytes[rng_below(r, sizeof bytes - 1)];
            break;
        case 1:
            text[at] = (char)(1 + rng_below(r, 255));
            break;
        default: {
            size_t size = (size_t)rng_below(r, len - at);
            memmove(text + at, text + (size_t)rng_below(r, len - size), size);
            break;
        }
        }
    }
}

Test(roundtrip, mutations)
{
    struct rng r = rng_make(7, 1);
    for (int i = 0; i < MUTATIONS; i++) {
        struct arena a = {0};
        char *text = arena_strdup(&a, sample);
        mutate(&r, text);
        expect_one_answer("mutated", text);
        arena_free(&a);
    }
}

Test(roundtrip, garbage)
{
    struct rng r = rng_make(7, 2);
    for (int i = 0; i < MUTATIONS; i++) {
        char text[200] = {0};
        for (size_t k = 0; k < 1 + rng_below(&r, sizeof text - 1); k++)
            text[k] = (char)(1 + rng_below(&r, 255));
        expect_one_answer("garbage", text);
    }
}
