/* SPDX-License-Identifier: MIT */
/*
 * The law parse(print(p)) = p, over kernels, over random programs and over programs whose variables
 * all have one name; and that no text, however damaged, does more than give one error.
 */
#include "tests/ir/helpers.h"

#include <glob.h>

#include "base/rng.h"
#include "base/strbuf.h"

enum { RANDOM_PROGRAMS = 400, MUTATIONS = 4000, MAX_TEXT = 100000 };

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

Test(roundtrip, kernels)
{
    glob_t found;
    if (glob("litmus/kernels/*.py", 0, NULL, &found) != 0)
        cr_skip_test("no kernels beside the tests");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct source *src = source_read(&a, found.gl_pathv[i], &d);
        cr_assert(src, "%s", diag_text(&d, &a));
        expect_law(found.gl_pathv[i], src->text);
        arena_free(&a);
    }
    globfree(&found);
}

/* ---- random programs ---- */

enum { MAX_VARS = 64 };

/* Text with the names that are in scope; few names, so that they collide. */
struct generator {
    struct rng rng;
    struct strbuf out;
    const char *scalars[MAX_VARS];
    size_t scalar_count;
    int indent, fresh;
};

static size_t pick(struct generator *g, size_t n)
{
    return (size_t)rng_below(&g->rng, n);
}

static void gen_expr(struct generator *g, int depth)
{
    static const char *const binary[] = {" + ", " - ", " * ", " // ", " % ",  " ** ",
                                         " & ", " | ", " ^ ", " << ", " >> ", " / "};
    static const char *const leaf[] = {"0",    "-3",  "pl.const(-7, pl.INT32)", "2.5", "SIZE",
                                       "0x1f", "x[i]"};
    static const char *const call[] = {"pl.min(", "pl.max(", "max("};
    size_t kind = depth <= 0 ? pick(g, 2) : pick(g, 8);
    switch (kind) {
    case 0:
        strbuf_add(&g->out, g->scalars[pick(g, g->scalar_count)]);
        break;
    case 1:
        strbuf_add(&g->out, leaf[pick(g, sizeof leaf / sizeof *leaf)]);
        break;
    case 2:
        strbuf_add(&g->out, pick(g, 2) ? "-" : "~");
        gen_expr(g, depth - 1);
        break;
    case 3:
        strbuf_add(&g->out, call[pick(g, 3)]);
        gen_expr(g, depth - 1);
        strbuf_add(&g->out, ", ");
        gen_expr(g, depth - 1);
        strbuf_add(&g->out, ")");
        break;
    case 4:
        strbuf_add(&g->out, "pl.cast(");
        gen_expr(g, depth - 1);
        strbuf_add(&g->out, pick(g, 2) ? ", pl.INDEX)" : ", target_type=pl.INT32)");
        break;
    case 5:
        strbuf_add(&g->out, "(");
        gen_expr(g, depth - 1);
        strbuf_add(&g->out, ")");
        break;
    default:
        gen_expr(g, depth - 1);
        strbuf_add(&g->out, binary[pick(g, sizeof binary / sizeof *binary)]);
        gen_expr(g, depth - 1);
        break;
    }
}

static void gen_cond(struct generator *g, int depth)
{
    static const char *const compare[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    size_t kind = depth <= 0 ? 0 : pick(g, 5);
    if (kind == 1)
        strbuf_add(&g->out, "not ");
    if (kind <= 1) {
        gen_expr(g, 1);
        strbuf_add(&g->out, compare[pick(g, 6)]);
        gen_expr(g, 1);
        return;
    }
    strbuf_add(&g->out, "(");
    gen_cond(g, depth - 1);
    strbuf_add(&g->out, kind == 2 ? ") ^ (" : kind == 3 ? " and " : " or ");
    gen_cond(g, depth - 1);
    strbuf_add(&g->out, ")");
}

static void gen_line(struct generator *g)
{
    strbuf_pad(&g->out, ' ', 4 * (size_t)g->indent);
}

static const char *gen_name(struct generator *g)
{
    static const char *const names[] = {"a", "c", "d", "a_1", "v", "v_1"};
    return names[pick(g, sizeof names / sizeof *names)];
}

static void gen_bind(struct generator *g, const char *name)
{
    if (g->scalar_count < MAX_VARS)
        g->scalars[g->scalar_count++] = name;
}

static void gen_block(struct generator *g, int depth);

static void gen_operator(struct generator *g)
{
    static const char *const lines[] = {
        "t = pl.load(x, [i, 0], [1, SIZE])\n",
        "t = pl.load(x, [0, 0], [4, 64], target_memory=pl.Mem.Vec)\n",
        "pld.system.notify(sig, i, [i, 0], 1, op=pld.NotifyOp.Set)\n",
        "r = pld.system.wait(sig, (i, 0), n, cmp=1)\n",
        "pl.system.cacheinvalid()\n",
        "pl.tile.mystery(x, [1, (2,), ()], k='a', attrs={\"z\": [1, -1]})\n",
        "t: pl.Tile[[1, ROWS], pl.FP32, pl.Mem.Vec] = pl.mystery(i)\n",
        "x = pl.mystery(x)\n",
        "u, w = (i, (n, 2.0))\n",
        "return i, n\n",
        "pass\n",
    };
    gen_line(g);
    strbuf_add(&g->out, lines[pick(g, sizeof lines / sizeof *lines)]);
}

static void gen_assign(struct generator *g)
{
    const char *name = gen_name(g);
    gen_line(g);
    strbuf_addf(&g->out, "%s = ", name);
    gen_expr(g, 3);
    strbuf_add(&g->out, "\n");
    gen_bind(g, name);
}

/* Both branches end in a yield of the same name. */
static void gen_phi(struct generator *g, int depth)
{
    const char *name = gen_name(g);
    size_t outer = g->scalar_count;
    gen_line(g);
    strbuf_add(&g->out, "if ");
    gen_cond(g, 2);
    strbuf_add(&g->out, ":\n");
    for (int branch = 0; branch < 2; branch++) {
        gen_block(g, depth - 1);
        g->indent++;
        gen_line(g);
        g->indent--;
        strbuf_addf(&g->out, "%s = pl.yield_(", name);
        gen_expr(g, 1);
        strbuf_add(&g->out, ")\n");
        g->scalar_count = outer;
        gen_line(g);
        if (branch == 0)
            strbuf_add(&g->out, "else:\n");
    }
    g->out.len -= 4 * (size_t)g->indent; /* the indentation of the line that did not come */
    g->out.text[g->out.len] = '\0';
    gen_bind(g, name);
}

static void gen_if(struct generator *g, int depth)
{
    size_t outer = g->scalar_count;
    gen_line(g);
    strbuf_add(&g->out, "if ");
    gen_cond(g, 2);
    strbuf_add(&g->out, ":\n");
    gen_block(g, depth - 1);
    g->scalar_count = outer;
    if (pick(g, 2)) {
        gen_line(g);
        strbuf_add(&g->out, "elif ");
        gen_cond(g, 1);
        strbuf_add(&g->out, ":\n");
        gen_block(g, depth - 1);
        g->scalar_count = outer;
    }
}

static void gen_for(struct generator *g, int depth)
{
    static const char *const loops[] = {"pl.range", "pl.parallel", "pl.unroll", "range"};
    const char *counter = gen_name(g), *result = gen_name(g);
    bool state = pick(g, 2);
    int number = g->fresh++;
    size_t outer = g->scalar_count;
    gen_line(g);
    /* The state's name differs from the counter's and from what the body assigns. */
    strbuf_addf(&g->out, state ? "for %s, (s%d,) in %s(" : "for %s%.0d in %s(", counter,
                state ? number : 0, loops[pick(g, 4)]);
    gen_expr(g, 1);
    if (pick(g, 2)) {
        strbuf_add(&g->out, ", ");
        gen_expr(g, 1);
    }
    strbuf_add(&g->out, state ? ", init_values=(n,)):\n" : "):\n");
    gen_bind(g, counter);
    gen_block(g, depth - 1);
    g->scalar_count = outer;
    if (state) {
        g->indent++;
        gen_line(g);
        g->indent--;
        strbuf_addf(&g->out, "%s = pl.yield_(s%d + 1)\n", result, number);
        gen_bind(g, result);
    }
}

static void gen_statement(struct generator *g, int depth)
{
    size_t kind = depth <= 0 ? pick(g, 2) : pick(g, 6);
    switch (kind) {
    case 0:
        gen_assign(g);
        break;
    case 1:
        gen_operator(g);
        break;
    case 2:
        gen_phi(g, depth);
        break;
    case 3:
        gen_if(g, depth);
        break;
    default:
        gen_for(g, depth);
        break;
    }
}

static void gen_block(struct generator *g, int depth)
{
    g->indent++;
    for (size_t n = 1 + pick(g, 3); n > 0; n--)
        gen_statement(g, depth);
    g->indent--;
}

static const char *gen_program(struct arena *a, uint64_t seed)
{
    struct generator g = {.rng = rng_make(seed, 0), .out = strbuf_make(a)};
    bool class = seed % 2;
    strbuf_add(&g.out, "import pypto.language as pl\nSIZE = 64\n");
    strbuf_add(&g.out, class ? "@pl.program\nclass P:\n" : "");
    for (int f = 0; f < 2; f++) {
        g.indent = class;
        gen_line(&g);
        strbuf_add(&g.out, "@pl.function(type=pl.FunctionType.InCore)\n");
        gen_line(&g);
        strbuf_addf(&g.out,
                    "def f%d(%sx: pl.Tensor[[ROWS, 64], pl.FP32], sig: "
                    "pl.InOut[pld.DistributedTensor[[n, 1], "
                    "pl.INT32]], n: pl.Scalar[pl.INT32], i: pl.Scalar[pl.INDEX]):\n",
                    f, class ? "self, " : "");
        g.scalar_count = 0;
        gen_bind(&g, "n");
        gen_bind(&g, "i");
        gen_block(&g, 3);
    }
    return g.out.text;
}

Test(roundtrip, random_programs)
{
    for (uint64_t seed = 0; seed < RANDOM_PROGRAMS; seed++) {
        struct arena a = {0};
        const char *text = gen_program(&a, seed);
        expect_law(arena_printf(&a, "seed %lu", (unsigned long)seed), text);
        arena_free(&a);
    }
}

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
