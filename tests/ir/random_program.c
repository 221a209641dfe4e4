/* SPDX-License-Identifier: MIT */
#include "tests/ir/random_program.h"

#include <string.h>

#include "tests/ir/random_internal.h"

#define LENGTH(table) (sizeof(table) / sizeof *(table))

/* ---- names and blocks ---- */

/* Few, and some of them look like what the printer makes of a second variable of one name. */
static const char *const names[SORT_COUNT][3] = {
    [SORT_INDEX] = {"i", "j", "i_1"},       [SORT_INT32] = {"n", "m", "n_1"},
    [SORT_FLOAT] = {"f", "f_1", "f_1_1"},   [SORT_BOOL] = {"b", "b_1", "c"},
    [SORT_TENSOR] = {"x", "x_1", "y"},      [SORT_WINDOW] = {"w", "w_1", "win"},
    [SORT_SIGNAL] = {"s", "s_1", "sig"},    [SORT_TILE] = {"t", "t_1", "acc__tile"},
    [SORT_TASK] = {"tid", "tid_1", "done"}, [SORT_TUPLE] = {"p", "p_1", "q"},
    [SORT_PTR] = {"buf", "buf_1", "mem"},
};

const char *some_name(struct generator *g, enum sort sort)
{
    return PICK(g, names[sort]);
}

void know(struct generator *g, enum sort sort, const char *name)
{
    struct pool *p = &g->pools[sort];
    if (p->len < MAX_POOL)
        p->names[p->len++] = name;
}

struct scope scope_open(const struct generator *g)
{
    struct scope s;
    for (int i = 0; i < SORT_COUNT; i++)
        s.len[i] = g->pools[i].len;
    return s;
}

void scope_close(struct generator *g, struct scope s)
{
    for (int i = 0; i < SORT_COUNT; i++)
        g->pools[i].len = s.len[i];
}

void line(struct generator *g)
{
    strbuf_pad(&g->out, ' ', 4 * (size_t)g->indent);
}

void random_block(struct generator *g)
{
    struct scope outer = scope_open(g);
    g->indent++;
    if (chance(g, 12)) {
        line(g);
        put(g, "pass\n");
    } else {
        random_statements(g, 1 + pick(g, 2));
    }
    g->indent--;
    scope_close(g, outer);
}

/* The start of an assignment to a fresh choice of name, sometimes annotated. */
static const char *target(struct generator *g, enum sort sort)
{
    const char *name = some_name(g, sort);
    line(g);
    if (chance(g, 3))
        put(g, "%s: %s = ", name, sort_type(sort));
    else
        put(g, "%s = ", name);
    return name;
}

/* ---- plain statements ---- */

static void gen_scalar(struct generator *g)
{
    static const struct {
        enum sort sort;
        void (*gen)(struct generator *, int);
    } kinds[] = {{SORT_INDEX, gen_index},
                 {SORT_INT32, gen_int32},
                 {SORT_FLOAT, gen_float},
                 {SORT_BOOL, gen_cond}};
    size_t k = pick(g, LENGTH(kinds));
    const char *name = target(g, kinds[k].sort);
    kinds[k].gen(g, 3);
    put(g, "\n");
    know(g, kinds[k].sort, name);
}

static void gen_counted(struct generator *g)
{
    static const char *const ops[] = {"+", "-", "*", "//", "%", "<<", "|"};
    if (!have(g, SORT_INDEX))
        return;
    line(g);
    const char *name = any_of(g, SORT_INDEX);
    put(g, "%s = %s %s ", name, name, PICK(g, ops));
    gen_index(g, 1);
    put(g, "\n");
}

static void gen_tuple(struct generator *g)
{
    if (have(g, SORT_TUPLE) && chance(g, 2)) {
        const char *i = some_name(g, SORT_INDEX), *f = some_name(g, SORT_FLOAT);
        line(g);
        put(g, "%s, %s = %s\n", i, f, any_of(g, SORT_TUPLE));
        know(g, SORT_INDEX, i);
        know(g, SORT_FLOAT, f);
        return;
    }
    const char *name = some_name(g, SORT_TUPLE);
    line(g);
    put(g, "%s = (", name);
    gen_index(g, 1);
    put(g, ", 2.5)\n");
    know(g, SORT_TUPLE, name);
}

static void gen_unknown(struct generator *g)
{
    static const char *const ops[] = {"pl.tile.mystery", "pl.test.mystery",
                                      "pl.builtin.tensor.future"};
    line(g);
    put(g, "%s(", PICK(g, ops));
    gen_any(g, 3);
    put(g, ", ");
    gen_any(g, 2);
    if (chance(g, 2)) {
        put(g, ", mode=");
        gen_any(g, 2);
    }
    if (chance(g, 2)) {
        put(g, ", ");
        gen_attrs(g);
    }
    put(g, ")\n");
}

static void gen_typed_unknown(struct generator *g)
{
    line(g);
    put(g, "z%d: ", g->fresh++);
    gen_type(g, 2);
    put(g, " = pl.test.mystery()\n");
}

/* A call whose recorded type is none that its plain form would have. */
static void gen_recorded(struct generator *g)
{
    static const char *const calls[] = {
        "pl._dump.call('tensor.view', [%s, [2, 128]], pl.Tensor[[256], pl.FP32])",
        "pl._dump.call('tensor.future', [%s], pl.Tensor[[4, 64], pl.FP32], kwargs={\"a\": 1}, "
        "attrs={\"b\": 'c'})",
        "pl._dump.call('tensor.slice', [%s, [1, 64], [0, 0]], pl.Tensor[[64], pl.FP32])",
    };
    if (!have(g, SORT_TENSOR))
        return;
    line(g);
    if (chance(g, 2))
        put(g, "z%d = ", g->fresh++);
    put(g, PICK(g, calls), any_of(g, SORT_TENSOR));
    put(g, "\n");
}

/* ---- operators of a core ---- */

static void gen_load(struct generator *g)
{
    if (!have(g, SORT_TENSOR))
        return;
    static const char *const forms[] = {"pl.load(%s, [0, 0], [1, 64])",
                                        "pl.tile.load(%s, [i, 0], [1, 64], [1, 64], "
                                        "target_memory=pl.Mem.Vec)",
                                        "pl.tile.load(%s, (1, 0), shapes=[1, 64])"};
    const char *from = any_of(g, chance(g, 3) ? SORT_WINDOW : SORT_TENSOR);
    const char *name = target(g, SORT_TILE);
    put(g, PICK(g, forms), from);
    put(g, "\n");
    know(g, SORT_TILE, name);
}

static void gen_tile_math(struct generator *g)
{
    static const char *const forms[] = {"pl.add(%s, %s)", "pl.tile.mul(%s, %s)",
                                        "pl.tile.maximum(%s, %s)"};
    if (!have(g, SORT_TILE))
        return;
    const char *a = any_of(g, SORT_TILE), *b = any_of(g, SORT_TILE);
    if (chance(g, 4)) { /* what the cube makes has a name of its own (docs/passes.md, mixed-name) */
        line(g);
        put(g, "product = pl.matmul(%s, %s)\n", a, b);
        return;
    }
    const char *name = target(g, SORT_TILE);
    put(g, PICK(g, forms), a, b);
    put(g, "\n");
    know(g, SORT_TILE, name);
}

static void gen_store(struct generator *g)
{
    if (!have(g, SORT_TILE))
        return;
    enum sort sort = chance(g, 2) ? SORT_WINDOW : SORT_TENSOR;
    const char *to = any_of(g, sort), *tile = any_of(g, SORT_TILE);
    if (chance(g, 2)) {
        const char *name = target(g, sort);
        put(g, "pl.store(%s, [0, 0], %s)\n", tile, to);
        know(g, sort, name);
        return;
    }
    line(g);
    if (!chance(g, 3))
        put(g, "pl.tile.mscatter(%s, %s, %s)\n", tile, tile, to);
    else
        put(g, "pl.tile.store(%s, [2, 0], %s, atomic=pl.AtomicType.Add)\n", tile, to);
}

static void gen_signal(struct generator *g)
{
    static const char *const forms[] = {
        "pld.system.notify(%s, pl.const(1, pl.INT32), [i, 0], 1, op=pld.NotifyOp.Set)",
        "pld.system.notify(%s, 0, [0, 0], value=1, op=0)",
        "pld.system.wait(%s, [i, 0], pl.cast(16, pl.INT32), cmp=1)",
        "r = pld.system.wait(%s, [0, 0], 1, cmp=pld.WaitCmp.Eq)",
        "pld.system.defer_wait(%s, [0, 0], 1, cmp=1)",
    };
    line(g);
    put(g, PICK(g, forms), any_of(g, SORT_SIGNAL));
    put(g, "\n");
}

static void gen_marker(struct generator *g)
{
    static const char *const forms[] = {"pl.system.fence()",
                                        "pl.system.cacheinvalid()",
                                        "pl.system.bar_all()",
                                        "pl.system.bar_v()",
                                        "pl.system.syncall(core_type='aiv_only')",
                                        "pl.system.sync_set(3, pipe=pl.PipeType.MTE3)"};
    line(g);
    if (chance(g, 4))
        put(g, "pl.system.cacheinvalid(%s, [4, 64], [0, 0])\n", any_of(g, SORT_WINDOW));
    else
        put(g, "%s\n", PICK(g, forms));
}

static void gen_remote(struct generator *g)
{
    const char *w = any_of(g, SORT_WINDOW), *t = any_of(g, SORT_TILE);
    if (chance(g, 2)) {
        const char *name = target(g, SORT_TILE);
        bool tail = chance(g, 20);
        put(g, "pld.tile.%sremote_load%s(%s, 1, [0, 0], [1, 64]%s)\n", tail ? "_" : "",
            tail ? "_with_physical_tail_padding" : "", w, tail ? ", [1, 60]" : "");
        know(g, SORT_TILE, name);
    } else if (t) {
        line(g);
        if (chance(g, 2))
            put(g, "pld.remote_store(%s, %s, 1, [0, 0])\n", t, w);
        else
            put(g, "pld.tile.put(%s, 1, %s, %s, [0, 0], [1, 0], [1, 64], atomic=0)\n", w, w, t);
    }
}

static void gen_element(struct generator *g)
{
    const char *x = any_of(g, chance(g, 2) ? SORT_TENSOR : SORT_WINDOW);
    if (chance(g, 2)) {
        line(g);
        put(g, "pl.write(%s, [1, 0], ", x);
        gen_float(g, 1);
        put(g, ")\n");
        return;
    }
    const char *name = target(g, SORT_FLOAT);
    put(g, chance(g, 2) ? "pl.read(%s, [0, 3])\n" : "%s[0, i]\n", x);
    know(g, SORT_FLOAT, name);
}

static void gen_context(struct generator *g)
{
    line(g);
    put(g, "ctx = pld.get_comm_ctx(%s)\n", any_of(g, SORT_WINDOW));
    const char *name = target(g, SORT_INT32);
    put(g, chance(g, 2) ? "pld.rank(ctx)\n" : "pld.system.nranks(ctx)\n");
    know(g, SORT_INT32, name);
}

static void gen_lanes(struct generator *g)
{
    const char *lane = some_name(g, SORT_INDEX);
    struct scope outer = scope_open(g);
    line(g);
    if (g->place == IN_CORE) {
        put(g, "for %s in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):\n", lane);
    } else {
        put(g, "for %s in pl.spmd(%s", lane, have(g, SORT_INDEX) ? any_of(g, SORT_INDEX) : "2");
        put(g, ", name_hint=\"lanes\"):\n");
    }
    know(g, SORT_INDEX, lane);
    int loops = g->loops;
    g->loops = g->place == IN_CORE ? 0 : loops;
    random_block(g);
    g->loops = loops;
    scope_close(g, outer);
}

/* ---- control ---- */

static void gen_if(struct generator *g)
{
    line(g);
    put(g, "if ");
    gen_cond(g, 2);
    put(g, ":\n");
    random_block(g);
    if (chance(g, 3)) {
        line(g);
        put(g, "elif ");
        gen_cond(g, 1);
        put(g, ":\n");
        random_block(g);
    }
    if (chance(g, 2)) {
        line(g);
        put(g, "else:\n");
        random_block(g);
    }
}

/* A result is a variable of its own, also where its name is that of another one. */
static const char *new_result(struct generator *g)
{
    return arena_printf(g->arena, "r%d", g->fresh++);
}

/* A last line of a block one level deeper. */
static void yield_line(struct generator *g, const char *name, const char *tail)
{
    g->indent++;
    line(g);
    put(g, "%s = pl.yield_(%s)\n", name, tail);
    g->indent--;
}

/* A branch's body, in a runtime scope now and then, that ends in a yield. */
static void yielding_branch(struct generator *g, const char *name, const char *value)
{
    bool scope = chance(g, 4);
    g->indent += scope;
    if (scope) {
        line(g);
        put(g, "with pl.scope():\n");
    }
    random_block(g);
    yield_line(g, name, value);
    g->indent -= scope;
}

static void gen_phi(struct generator *g)
{
    const char *name = new_result(g);
    const char *value = have(g, SORT_INT32) ? any_of(g, SORT_INT32) : "pl.const(1, pl.INT32)";
    line(g);
    put(g, "if ");
    gen_cond(g, 2);
    put(g, ":\n");
    yielding_branch(g, name, value);
    line(g);
    put(g, "else:\n");
    yielding_branch(g, name, "pl.const(0, pl.INT32)");
    know(g, SORT_INT32, name);
}

/* True for a loop that may be left early. */
static bool gen_range(struct generator *g, bool carried, bool wide)
{
    static const char *const loops[] = {"pl.range(", "pl.parallel(", "pl.pipeline(", "pl.range(",
                                        "pl.unroll("};
    const char *loop = loops[pick(g, carried ? 4 : 5)];
    put(g, "%s", loop);
    if (wide)
        put(g, "pl.const(0, pl.INT64), ");
    else if (chance(g, 3))
        put(g, "pl.const(0, pl.INDEX), ");
    gen_index(g, 1);
    if (chance(g, 3))
        put(g, ", 300");
    if (strcmp(loop, "pl.pipeline(") == 0)
        put(g, ", stage=2");
    if (chance(g, 4))
        put(g, ", attrs={\"unroll\": 2, \"flag\": True}");
    return strcmp(loop, "pl.parallel(") != 0 && strcmp(loop, "pl.unroll(") != 0;
}

static void gen_for(struct generator *g)
{
    bool wide = chance(g, 6); /* an INT64 counter, whose name no INDEX may be assigned to */
    const char *counter =
        wide ? arena_printf(g->arena, "w%d", g->fresh++) : some_name(g, SORT_INDEX);
    struct scope outer = scope_open(g);
    line(g);
    put(g, "for %s in ", counter);
    int loops = g->loops;
    g->loops = gen_range(g, false, wide) ? loops + 1 : 0;
    put(g, "):\n");
    if (!wide)
        know(g, SORT_INDEX, counter);
    random_block(g);
    g->loops = loops;
    scope_close(g, outer);
}

static void gen_carried_for(struct generator *g)
{
    const char *counter = some_name(g, SORT_INDEX), *result = new_result(g);
    const char *init = have(g, SORT_INT32) ? any_of(g, SORT_INT32) : "pl.const(5, pl.INT32)";
    struct scope outer = scope_open(g);
    int loops = g->loops, number = g->fresh++;
    line(g);
    put(g, "for %s, (st%d, u%d) in ", counter, number, number);
    gen_range(g, true, false);
    put(g, ", init_values=(%s, 1.5)):\n", init);
    know(g, SORT_INDEX, counter);
    g->loops = 0;
    random_block(g);
    g->loops = loops;
    yield_line(g, arena_printf(g->arena, "%s, v%d", result, number),
               arena_printf(g->arena, "st%d + pl.const(1, pl.INT32), u%d", number, number));
    scope_close(g, outer);
    know(g, SORT_INT32, result);
}

static void gen_while(struct generator *g)
{
    line(g);
    if (chance(g, 2)) {
        put(g, "while ");
        gen_cond(g, 2);
        put(g, ":\n");
        g->loops++;
        random_block(g);
        g->loops--;
        return;
    }
    int number = g->fresh++, loops = g->loops;
    const char *result = new_result(g);
    put(g, "for (k%d,) in pl.while_(init_values=(7,)):\n", number);
    g->indent++;
    line(g);
    g->indent--;
    put(g, "pl.cond(k%d > 1)\n", number);
    g->loops = 0;
    random_block(g);
    g->loops = loops;
    yield_line(g, result, arena_printf(g->arena, "k%d // 2", number));
    know(g, SORT_INDEX, result);
}

static void gen_jump(struct generator *g)
{
    if (g->loops == 0)
        return;
    line(g);
    put(g, "if ");
    gen_cond(g, 1);
    put(g, ":\n");
    g->indent++;
    line(g);
    g->indent--;
    put(g, chance(g, 2) ? "break\n" : "continue\n");
}

/* ---- orchestration and host ---- */

static void gen_scope(struct generator *g)
{
    static const struct {
        const char *text;
        bool task, lanes;
    } forms[] = {
        {"pl.scope()", false, false},
        {"pl.cluster(name_hint=\"pair\")", false, false},
        {"pl.spmd(4, sync_start=True)", true, true},
        {"pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.NONE, "
         "slot_num=2)])",
         true, false},
        {"pl.at(level=pl.Level.CHIP, role=pl.Role.Orchestrator, deps=[])", true, false},
    };
    size_t form = pick(g, LENGTH(forms));
    const char *task = NULL;
    line(g);
    put(g, "with %s", forms[form].text);
    if (g->place == IN_ORCHESTRATION && forms[form].task && chance(g, 2)) {
        task = some_name(g, SORT_TASK);
        put(g, " as %s", task);
    }
    put(g, ":\n");
    if (forms[form].lanes) {
        g->indent++;
        line(g);
        put(g, "lane%d = pl.tile.get_block_idx()\n", g->fresh++);
        g->indent--;
    }
    random_block(g);
    if (task)
        know(g, SORT_TASK, task);
}

static const char *self(const struct generator *g)
{
    return g->in_class ? "self." : "";
}

static void gen_launch(struct generator *g)
{
    const char *x = any_of(g, SORT_TENSOR), *w = any_of(g, SORT_WINDOW),
               *s = any_of(g, SORT_SIGNAL);
    const char *task = some_name(g, SORT_TASK), *out = some_name(g, SORT_TENSOR);
    const char *dep = have(g, SORT_TASK) ? any_of(g, SORT_TASK) : "";
    bool wide = chance(g, 3);
    line(g);
    put(g, "%s, %s = pl.%s(%skernel, %s, %s, %s, n0, i0, i0, deps=[%s]", out, task,
        wide ? "spmd_submit" : "submit", self(g), x, w, s, dep);
    put(g, wide ? ", core_num=8, sync_start=True" : "");
    if (chance(g, 3)) {
        put(g, ", ");
        gen_attrs(g);
    }
    put(g, ")\n");
    know(g, SORT_TASK, task);
    know(g, SORT_TENSOR, out);
}

static void gen_call(struct generator *g)
{
    const char *x = any_of(g, SORT_TENSOR), *w = any_of(g, SORT_WINDOW),
               *s = any_of(g, SORT_SIGNAL);
    bool host = g->place == ON_HOST;
    line(g);
    put(g, "%s%s(%s, %s, %s, n0, i0, i0", self(g), host ? "orchestrate" : "kernel", x, w, s);
    if (host)
        put(g, ", device=%s", have(g, SORT_INDEX) && chance(g, 2) ? any_of(g, SORT_INDEX) : "0");
    if (chance(g, 3))
        put(g, ", attrs={\"arg_directions\": [pl.adir.input, pl.adir.inout, pl.adir.inout, "
               "pl.adir.scalar, pl.adir.scalar, pl.adir.scalar]}");
    put(g, ")\n");
}

static void gen_slice(struct generator *g)
{
    const char *from = any_of(g, SORT_TENSOR);
    const char *name = target(g, SORT_TENSOR);
    put(g, "pl.tensor.slice(%s, [4, 64], [0, 0])\n", from);
    know(g, SORT_TENSOR, name);
}

static void gen_window(struct generator *g)
{
    int number = g->fresh++;
    line(g);
    put(g,
        chance(g, 4) ? "buf%d = pl._dump.alloc_window_buffer(1024, name='b%d')\n"
                     : "buf%d: pl.Ptr = pld.tensor.alloc_window_buffer(1024)\n",
        number, number);
    const char *name = target(g, SORT_WINDOW);
    put(g, "pld.window(buf%d, [4, 64], dtype=pl.FP32)\n", number);
    know(g, SORT_WINDOW, name);
    line(g);
    put(g, "sbuf%d = pld.alloc_window_buffer([4, 1], dtype=pl.INT32)\n", number);
    name = target(g, SORT_SIGNAL);
    put(g, "pld.tensor.window(sbuf%d, [4, 1], dtype=pl.INT32)\n", number);
    know(g, SORT_SIGNAL, name);
}

static void gen_collective(struct generator *g)
{
    const char *w = any_of(g, SORT_WINDOW), *s = any_of(g, SORT_SIGNAL);
    line(g);
    switch (pick(g, 4)) {
    case 0:
        put(g, "pld.tensor.barrier(%s)\n", s);
        break;
    case 1:
        put(g, "pld.tensor.broadcast(%s, %s, root=0)\n", w, s);
        break;
    case 2:
        put(g, "%s = pld.tensor.allreduce(%s, %s, op=pld.ReduceOp.Sum, mode='ring')\n", w, w, s);
        break;
    default:
        put(g, "pl.builtin.tensor.allreduce(%s, %s, op=0, dtype=pl.FP32, device=0)\n", w, s);
        break;
    }
}

/* The same in a kernel, in the forms that have a result and in those that have none. */
static void gen_core_collective(struct generator *g)
{
    static const char *const forms[] = {
        "pld.tensor.allreduce(%s, %s, op=pld.ReduceOp.Max)\n",
        "pld.tensor.allreduce(%s, %s, op=pld.ReduceOp.Prod, mode='mesh')\n",
        "pld.tensor.reduce_scatter(%s, %s, op=pld.ReduceOp.Sum)\n",
        "pld.tensor.broadcast(%s, %s, root=1)\n",
    };
    const char *w = any_of(g, SORT_WINDOW), *s = any_of(g, SORT_SIGNAL);
    line(g);
    if (chance(g, 4)) {
        put(g, "pld.tensor.barrier(%s)\n", s);
        return;
    }
    if (chance(g, 2)) {
        const char *name = some_name(g, SORT_WINDOW);
        put(g, "%s = ", name);
        know(g, SORT_WINDOW, name);
    }
    if (chance(g, 3))
        put(g, "pld.tensor.all_to_all(%s, %s, %s)\n", any_of(g, SORT_TENSOR), w, s);
    else
        put(g, PICK(g, forms), w, s);
}

/* A domain with a slot, its allocation, a view and one view's view that lost its window. */
static void gen_domain(struct generator *g)
{
    int n = g->fresh++;
    struct scope outer = scope_open(g);
    line(g);
    put(g,
        "with pl._dump.comm_domain(name='comm_d%d', devices=[%s], slots=[pl._dump.window_buffer("
        "\"mem%d_window\", base=\"mem%d\", size=1024, load_from_host=%s, "
        "store_to_host=False)]%s):\n",
        n, chance(g, 2) ? "0, 1" : "", n, n, chance(g, 2) ? "True" : "False",
        chance(g, 3) ? ", attrs={\"d\": -1, \"e\": pl.const(-1, pl.INDEX)}" : "");
    g->indent++;
    line(g);
    put(g, "mem%d: pl.Ptr = pld.tensor.alloc_window_buffer(1024)\n", n);
    line(g);
    put(g,
        "dw%d: pld.DistributedTensor[[4, 64], pl.FP32, pl._dump.window_ref(\"mem%d_window\")] = "
        "pld.tensor.window(mem%d, [4, 64], dtype=pl.FP32)\n",
        n, n, n);
    know(g, SORT_WINDOW, arena_printf(g->arena, "dw%d", n));
    if (chance(g, 2)) {
        line(g);
        put(g,
            "dv%d = pl._dump.call('tensor.view', [dw%d, [8, 32]], pld.DistributedTensor[[8, 32], "
            "pl.FP32])\n",
            n, n);
    }
    random_statements(g, 1 + pick(g, 2));
    g->indent--;
    scope_close(g, outer);
}

/* ---- the table of statements ---- */

static const struct {
    void (*gen)(struct generator *g);
    unsigned places;
    bool nests;
} statements[] = {
    {gen_scalar, ANYWHERE, false},
    {gen_counted, ANYWHERE, false},
    {gen_tuple, ANYWHERE, false},
    {gen_unknown, ANYWHERE, false},
    {gen_typed_unknown, ANYWHERE, false},
    {gen_recorded, ANYWHERE, false},
    {gen_load, IN_CORE, false},
    {gen_tile_math, IN_CORE, false},
    {gen_store, IN_CORE, false},
    {gen_signal, IN_CORE, false},
    {gen_marker, IN_CORE, false},
    {gen_remote, IN_CORE, false},
    {gen_remote, IN_CORE, false},
    {gen_element, IN_CORE, false},
    {gen_context, IN_CORE, false},
    {gen_core_collective, IN_CORE, false},
    {gen_launch, IN_ORCHESTRATION, false},
    {gen_call, IN_ORCHESTRATION | ON_HOST, false},
    {gen_slice, IN_ORCHESTRATION | ON_HOST, false},
    {gen_window, ON_HOST, false},
    {gen_collective, ON_HOST, false},
    {gen_jump, ANYWHERE, false},
    {gen_jump, ANYWHERE, false},
    {gen_if, ANYWHERE, true},
    {gen_phi, ANYWHERE, true},
    {gen_for, ANYWHERE, true},
    {gen_carried_for, ANYWHERE, true},
    {gen_while, ANYWHERE, true},
    {gen_lanes, IN_CORE | IN_ORCHESTRATION, true},
    {gen_scope, IN_ORCHESTRATION, true},
    {gen_domain, ON_HOST, true},
};

void random_statements(struct generator *g, size_t n)
{
    size_t len = g->out.len;
    for (g->depth++; n > 0; n--) {
        size_t k = pick(g, LENGTH(statements));
        if ((statements[k].places & g->place) && (g->depth < 4 || !statements[k].nests))
            statements[k].gen(g);
    }
    g->depth--;
    if (g->out.len == len) { /* nothing fitted */
        line(g);
        put(g, "pass\n");
    }
}

/* ---- a host function as people write it ---- */

static void plan_dispatch(struct generator *g, int k, bool inner)
{
    static const char *const bounds[] = {"ws", "2", "pld.system.world_size()"};
    const char *view = "w%d = pld.tensor.window(buf%d, [4, 64], dtype=pl.FP32)\n";
    line(g);
    put(g, "for r in pl.range(%s):\n", PICK(g, bounds));
    g->indent++;
    if (inner) {
        line(g);
        put(g, view, k, k);
    }
    if (chance(g, 3)) {
        line(g);
        put(g, "part%d = pl.tensor.slice(x0, [4, 64], [r, 0])\n", k);
    }
    line(g);
    put(g, "%sorchestrate(x0, w%d, s%d, n0, r, r, device=%s)\n", self(g), k, k,
        chance(g, 8) ? "1" : "r");
    g->indent--;
}

static void plan_collective(struct generator *g, int k)
{
    static const char *const forms[] = {
        "pld.tensor.barrier(s%d)\n",
        "pld.tensor.broadcast(w%d, s%d, root=0)\n",
        "pld.tensor.allreduce(w%d, s%d, op=pld.ReduceOp.Sum)\n",
        "red%d = pld.tensor.allreduce(w%d, op=pld.ReduceOp.Max)\n",
        "pld.tensor.allreduce(w%d, op=pld.ReduceOp.Sum, mode='mesh')\n",
        "got%d = pld.tensor.broadcast(w%d, s%d, root=1)\n",
    };
    line(g);
    put(g, PICK(g, forms), k, k, k);
}

/* Windows, each with its signal, its dispatch loop and now and then a collective. */
static void gen_plan(struct generator *g)
{
    int n = 1 + (int)pick(g, 3);
    line(g);
    put(g, "ws = pld.system.world_size()\n");
    for (int k = 1; k <= n; k++) {
        bool inner = chance(g, 3);
        line(g);
        put(g, "buf%d = pld.tensor.alloc_window_buffer(1024)\n", k);
        line(g);
        put(g, "sbuf%d = pld.tensor.alloc_window_buffer(ws * 4)\n", k);
        line(g);
        put(g, "s%d = pld.tensor.window(sbuf%d, [ws, 1], dtype=pl.INT32)\n", k, k);
        if (!inner) {
            line(g);
            put(g, "w%d = pld.tensor.window(buf%d, [4, 64], dtype=pl.FP32)\n", k, k);
        }
        plan_dispatch(g, k, inner);
        if (!inner && chance(g, 2))
            plan_collective(g, k);
    }
}

/* ---- functions and programs ---- */

struct shape {
    const char *name, *decorator;
    enum place place;
    bool self; /* printed kernels have none */
};

static const struct shape kernels[] = {
    {"kernel", "type=pl.FunctionType.InCore", IN_CORE, true},
    {"kernel", "type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker", IN_CORE,
     false},
    {"kernel", "type=pl.FunctionType.AIC, attrs={\"split\": pl.SplitMode.NONE}", IN_CORE, false},
    {"kernel", "type=pl.FunctionType.Spmd, attrs={\"core_num\": 8}", IN_ORCHESTRATION, true},
    {"kernel", "type=pl.FunctionType.Group", IN_ORCHESTRATION, true},
};
static const struct shape spliced = {"kernel", "type=pl.FunctionType.Inline", IN_ORCHESTRATION,
                                     true};
static const struct shape chips[] = {
    {"orchestrate", "type=pl.FunctionType.Orchestration", IN_ORCHESTRATION, true},
    {"orchestrate", "type=pl.FunctionType.Graph", IN_ORCHESTRATION, true},
    {"orchestrate", "level=pl.Level.CHIP, role=pl.Role.Orchestrator", IN_ORCHESTRATION, true},
};
static const struct shape host = {"host", "level=pl.Level.HOST, role=pl.Role.Orchestrator", ON_HOST,
                                  true};

static void bind_params(struct generator *g)
{
    static const struct {
        enum sort sort;
        const char *name;
    } params[] = {{SORT_TENSOR, "x0"},
                  {SORT_WINDOW, "w0"},
                  {SORT_SIGNAL, "s0"},
                  {SORT_INT32, "n0"},
                  {SORT_INDEX, "i0"}};
    for (int i = 0; i < SORT_COUNT; i++)
        g->pools[i].len = 0;
    for (size_t i = 0; i < LENGTH(params); i++)
        know(g, params[i].sort, params[i].name);
    know(g, SORT_INDEX, "i");
}

static void gen_function(struct generator *g, const struct shape *shape)
{
    static const char *const wraps[] = {"pl.Out[%s]", "pl.InOut[%s]", "%s"};
    g->place = shape->place;
    g->loops = g->depth = 0;
    line(g);
    put(g, "@pl.function(%s, auto_scope=False)\n", shape->decorator);
    line(g);
    put(g, "def %s(%sx0: ", shape->name, g->in_class && shape->self ? "self, " : "");
    put(g, PICK(g, wraps), sort_type(SORT_TENSOR));
    put(g, ", w0: pl.InOut[%s], s0: %s, n0: %s, i0: %s, i: %s)", sort_type(SORT_WINDOW),
        sort_type(SORT_SIGNAL), sort_type(SORT_INT32), sort_type(SORT_INDEX),
        sort_type(SORT_INDEX));
    put(g, " -> %s:\n", sort_type(SORT_TENSOR));
    bind_params(g);
    g->indent++;
    if (chance(g, 4)) {
        line(g);
        put(g, "\"\"\"What it does,\n  in \\\"two\\\" lines.\"\"\"\n");
    }
    if (g->place == ON_HOST && chance(g, 2))
        gen_plan(g);
    else
        random_statements(g, 4 + pick(g, 8));
    line(g);
    put(g, "return x0\n");
    g->indent--;
}

/* A type that a parameter may have: a tuple is none. */
static void gen_param_type(struct generator *g, int depth)
{
    size_t start = g->out.len;
    gen_type(g, depth);
    if (strncmp(g->out.text + start, "pl.Tuple", 8) == 0) {
        g->out.len = start;
        put(g, "pl.Ptr");
    }
}

/* A function of nothing but types, and one without a body of its own. */
static void gen_types(struct generator *g)
{
    line(g);
    put(g, "@pl.function\n");
    line(g);
    put(g, "def types(%sa0: ", g->in_class ? "self, " : "");
    gen_param_type(g, 2);
    put(g, ", a1: ");
    gen_param_type(g, 3);
    put(g, ", a2: pl.InOut[");
    gen_shaped_type(g);
    put(g, "]) -> tuple[");
    gen_type(g, 1);
    put(g, ", ");
    gen_type(g, 1);
    put(g, "]:\n");
    g->indent++;
    line(g);
    put(g, chance(g, 2) ? "...\n" : "return a1, a2\n");
    g->indent--;
}

static void gen_head(struct generator *g)
{
    put(g, chance(g, 2) ? "# pypto.program: Some name\n" : "");
    put(g, chance(g, 3) ? "\"\"\"About this file.\"\"\"\n" : "");
    put(g, "import pypto.language as pl\nfrom pypto.language import distributed as pld\n\n"
           "SIZE = 64\nROWS = SIZE // 2  # rows\nEPS = 1e-6\nNR = pl.dynamic(\"NR\")\n\n");
    if (g->in_class)
        put(g, "@pl.program\nclass Program:\n");
    g->indent = g->in_class;
}

const char *random_program(struct arena *a, uint64_t seed)
{
    struct generator g = {.arena = a, .rng = rng_make(seed, 11), .out = strbuf_make(a)};
    g.in_class = chance(&g, 2);
    gen_head(&g);
    gen_function(&g, chance(&g, 10) ? &spliced : &PICK(&g, kernels));
    gen_function(&g, &PICK(&g, chips));
    gen_function(&g, &host);
    gen_types(&g);
    return g.out.text;
}
