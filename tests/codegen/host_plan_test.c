/* SPDX-License-Identifier: MIT */
/*
 * What a host orchestrator comes to: domains, the layout of their windows, and the tasks of each
 * rank in program order with their arguments and what they wait for (codegen/host/host.h,
 * pypto-facts 4.3, 4.5).
 */
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "codegen/host/host.h"
#include "passes/pass.h"
#include "sim/machine.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Kernels k, pair, copy, scalar, none; chip orchestrators that call them; and the host's main. */
static const char head[] =
    "import pypto.language as pl\n"
    "import pypto.language.distributed as pld\n"
    "NR = pl.dynamic(\"NR\")\n"
    "ROUNDS = 2\n"
    "@pl.program\n"
    "class T:\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def k(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def copy(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]]) "
    "-> pl.Tensor[[1, 8], pl.INT32]:\n"
    "        t = pl.load(x, [0, 0], [1, 8])\n"
    "        y = pl.store(t, [0, 0], y)\n"
    "        return y\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def scalar(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]], "
    "n: pl.Scalar[pl.INT32]):\n"
    "        return\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def one(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]]):\n"
    "        self.k(w)\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def count(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]], "
    "n: pl.Scalar[pl.INT32]):\n"
    "        for i in pl.range(n):\n"
    "            self.scalar(w, i)\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def numbered(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]]):\n"
    "        c = pld.get_comm_ctx(w)\n"
    "        self.scalar(w, pld.rank(c) + 10 * pld.nranks(c))\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def through(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], "
    "pl.INT32]]):\n"
    "        t = pl.tensor.create([1, 8], dtype=pl.INT32)\n"
    "        a = self.copy(x, t)\n"
    "        b = self.copy(a, y)\n"
    "        return b\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def omits(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]]):\n"
    "        a, task = pl.submit(self.copy, x)\n"
    "        return self.copy(a, y)\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def apart(self, x: pl.Tensor[[2, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 8], "
    "pl.INT32]]):\n"
    "        for i in pl.range(2):\n"
    "            self.copy(pl.tensor.slice(x, [1, 8], [i, 0]), pl.tensor.slice(y, [1, 8], [i, "
    "0]))\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def launch(self, w: pl.InOut[pld.DistributedTensor[[1, 8], pl.INT32]], "
    "x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]]):\n"
    "        first = pl.submit(self.k, w)\n"
    "        out, second = pl.submit(self.copy, x, y, deps=[first])\n"
    "        third = pl.spmd_submit(self.k, w, core_num=2)\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def loose(self, w: pl.InOut[pld.DistributedTensor[[1, NR], pl.INT32]]):\n"
    "        self.k(w)\n"
    "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n";
enum { HEAD_LINES = 51 };

static const struct ir_program *parsed(struct arena *a, const char *text, bool passes,
                                       struct diag *d)
{
    static const struct pass_options defaults = {.batch = PASS_BATCH_LOOPS, .markers = true};
    const struct source *src = source_from_string(a, "t.py", text);
    const struct ir_program *p = ir_parse(a, src, d);
    if (!p || !verify_program(p, d))
        return NULL;
    return passes ? passes_run(a, p, NULL, 0, &defaults, NULL, d) : p;
}

/* "def main(...):" and its body, which starts in line 1 of the case. */
static const struct ir_program *program(struct arena *a, const char *main_text, bool passes,
                                        struct diag *d)
{
    return parsed(a, arena_printf(a, "%s%s", head, main_text), passes, d);
}

struct setting {
    int nranks, cores, align; /* align 0: the toolchain's 32 bytes */
    bool no_passes;
    const char *arg;
};

static const struct program *compiled_text(struct arena *a, const char *text,
                                           const struct setting *s, struct diag *d)
{
    struct binding binding;
    struct directives dir = {0};
    const struct toolchain *t = toolchain_load(a, "models", "ptoas-0.57", d);
    const struct ir_program *p = parsed(a, text, !s->no_passes, d);
    if (!t || !p || (s->arg && !binding_parse(a, s->arg, &binding, d)))
        return NULL;
    struct codegen_options o = {.toolchain = t,
                                .nranks = s->nranks,
                                .cores_per_rank = s->cores,
                                .window_align = s->align,
                                .args = &binding,
                                .nargs = s->arg != NULL};
    return codegen(a, p, &dir, &o, d);
}

static const struct program *compiled(struct arena *a, const char *main_text,
                                      const struct setting *s, struct diag *d)
{
    return compiled_text(a, arena_printf(a, "%s%s", head, main_text), s, d);
}

/* ---- plans ---- */

#define ONE_WINDOW                                                                                 \
    "    def main(self):\n"                                                                        \
    "        buf = pld.alloc_window_buffer(32)\n"                                                  \
    "        w = pld.window(buf, [1, 8], dtype=pl.INT32)\n"

static const struct plan_case {
    const char *name, *text;
    struct setting setting;
    const char *plan;
} plan_cases[] = {
    {"a loop over all ranks is one submission",
     ONE_WINDOW "        for r in pl.range(pld.world_size()):\n"
                "            self.one(w, device=r)\n",
     {.nranks = 2},
     "domain comm_d0: ranks 0 1\n"
     "comm_d0 buf: 0, 32 bytes\n"
     "task 0: rank 0, step 0: k(buf[1,8], comm_d0)\n"
     "task 1: rank 1, step 0: k(buf[1,8], comm_d0)\n"},
    {"a loop over a number of ranks is one for each",
     ONE_WINDOW "        for r in pl.range(2):\n"
                "            self.one(w, device=r)\n",
     {.nranks = 2},
     "domain comm_d0: ranks 0 1\n"
     "comm_d0 buf: 0, 32 bytes\n"
     "task 0: rank 0, step 0: k(buf[1,8], comm_d0)\n"
     "task 1: rank 1, step 1: k(buf[1,8], comm_d0)\n"},
    {"the ordering token of a domain orders a rank's dispatches, and no other rank's",
     ONE_WINDOW "        for call in pl.range(2):\n"
                "            for r in pl.range(pld.world_size()):\n"
                "                self.one(w, device=r)\n",
     {.nranks = 2},
     "domain comm_d0: ranks 0 1\n"
     "comm_d0 buf: 0, 32 bytes\n"
     "task 0: rank 0, step 0: k(buf[1,8], comm_d0)\n"
     "task 1: rank 1, step 0: k(buf[1,8], comm_d0)\n"
     "task 2: rank 0, step 1: k(buf[1,8], comm_d0) after 0\n"
     "task 3: rank 1, step 1: k(buf[1,8], comm_d0) after 1\n"},
    {"slots follow each other, rounded up; a domain starts on a line of its own",
     "    def main(self):\n"
     "        a = pld.alloc_window_buffer(33)\n"
     "        b = pld.alloc_window_buffer(32)\n"
     "        c = pld.alloc_window_buffer(40)\n"
     "        wa = pld.window(a, [1, 8], dtype=pl.INT32)\n"
     "        wb = pld.window(b, [1, 8], dtype=pl.INT32)\n"
     "        wc = pld.window(c, [1, 8], dtype=pl.INT32)\n"
     "        self.one(wa, device=0)\n"
     "        self.one(wb, device=0)\n"
     "        self.one(wc, device=1)\n",
     {.nranks = 2},
     "domain comm_d0: ranks 0\n"
     "domain comm_d1: ranks 1\n"
     "comm_d0 a: 0, 33 bytes\n"
     "comm_d0 b: 64, 32 bytes\n"
     "comm_d1 c: 128, 40 bytes\n"
     "task 0: rank 0, step 0: k(a[1,8], comm_d0)\n"
     "task 1: rank 0, step 1: k(b[1,8], comm_d0) after 0\n"
     "task 2: rank 1, step 2: k(c[1,8], comm_d1)\n"},
    {"slots of one domain share a line at 32 bytes",
     "    def main(self):\n"
     "        a = pld.alloc_window_buffer(32)\n"
     "        b = pld.alloc_window_buffer(32)\n"
     "        wa = pld.window(a, [1, 8], dtype=pl.INT32)\n"
     "        wb = pld.window(b, [1, 8], dtype=pl.INT32)\n"
     "        self.one(wa, device=0)\n"
     "        self.one(wb, device=0)\n",
     {.nranks = 1},
     "domain comm_d0: ranks 0\n"
     "comm_d0 a: 0, 32 bytes\n"
     "comm_d0 b: 32, 32 bytes\n"
     "task 0: rank 0, step 0: k(a[1,8], comm_d0)\n"
     "task 1: rank 0, step 1: k(b[1,8], comm_d0) after 0\n"},
    {"and none at 64",
     "    def main(self):\n"
     "        a = pld.alloc_window_buffer(32)\n"
     "        b = pld.alloc_window_buffer(32)\n"
     "        wa = pld.window(a, [1, 8], dtype=pl.INT32)\n"
     "        wb = pld.window(b, [1, 8], dtype=pl.INT32)\n"
     "        self.one(wa, device=0)\n"
     "        self.one(wb, device=0)\n",
     {.nranks = 1, .align = 64},
     "domain comm_d0: ranks 0\n"
     "comm_d0 a: 0, 32 bytes\n"
     "comm_d0 b: 64, 32 bytes\n"
     "task 0: rank 0, step 0: k(a[1,8], comm_d0)\n"
     "task 1: rank 0, step 1: k(b[1,8], comm_d0) after 0\n"},
    {"overlapping domains",
     "    def main(self):\n"
     "        a = pld.alloc_window_buffer(32)\n"
     "        b = pld.alloc_window_buffer(32)\n"
     "        wa = pld.window(a, [1, 8], dtype=pl.INT32)\n"
     "        wb = pld.window(b, [1, 8], dtype=pl.INT32)\n"
     "        for r in pl.range(2):\n"
     "            self.one(wa, device=r)\n"
     "        for r in pl.range(1, 3):\n"
     "            self.one(wb, device=r)\n",
     {.nranks = 3},
     "domain comm_d0: ranks 0 1\n"
     "domain comm_d1: ranks 1 2\n"
     "comm_d0 a: 0, 32 bytes\n"
     "comm_d1 b: 64, 32 bytes\n"
     "task 0: rank 0, step 0: k(a[1,8], comm_d0)\n"
     "task 1: rank 1, step 1: k(a[1,8], comm_d0)\n"
     "task 2: rank 1, step 2: k(b[1,8], comm_d1)\n"
     "task 3: rank 2, step 3: k(b[1,8], comm_d1)\n"},
    {"several views of one allocation, and parts of one",
     "    def main(self):\n"
     "        buf = pld.alloc_window_buffer(128)\n"
     "        w = pld.window(buf, [4, 8], dtype=pl.INT32)\n"
     "        v = pld.window(buf, [1, 8], dtype=pl.INT32)\n"
     "        for r in pl.range(2):\n"
     "            self.one(pl.tensor.slice(w, [1, 8], [r + 1, 0]), device=r)\n"
     "        self.one(v, device=0)\n",
     {.nranks = 2},
     "domain comm_d0: ranks 0 1\n"
     "comm_d0 buf: 0, 128 bytes\n"
     "task 0: rank 0, step 0: k(buf+32[1,8], comm_d0)\n"
     "task 1: rank 1, step 1: k(buf+64[1,8], comm_d0)\n"
     "task 2: rank 0, step 2: k(buf[1,8], comm_d0) after 0\n"},
    {"tensors of the host: a part for each rank, temporaries at one place on all",
     "    def main(self, x: pl.Tensor[[2, 1, 8], pl.INT32], "
     "y: pl.Out[pl.Tensor[[2, 1, 8], pl.INT32]]):\n"
     "        for r in pl.range(pld.world_size()):\n"
     "            self.through(x[r], y[r], device=r)\n",
     {.nranks = 2},
     "tensor x: 0, 64 bytes\n"
     "tensor y: 64, 64 bytes\n"
     "tensor temp0: 128, 32 bytes\n"
     "task 0: rank 0, step 0: copy(x[1,8], temp0[1,8])\n"
     "task 1: rank 0, step 0: copy(temp0[1,8], y[1,8]) after 0\n"
     "task 2: rank 1, step 0: copy(x+32[1,8], temp0[1,8])\n"
     "task 3: rank 1, step 0: copy(temp0[1,8], y+32[1,8]) after 2\n"},
    {"an output that a launch leaves out",
     "    def main(self, x: pl.Tensor[[2, 1, 8], pl.INT32], "
     "y: pl.Out[pl.Tensor[[2, 1, 8], pl.INT32]]):\n"
     "        for r in pl.range(pld.world_size()):\n"
     "            self.omits(x[r], y[r], device=r)\n",
     {.nranks = 2},
     "tensor x: 0, 64 bytes\n"
     "tensor y: 64, 64 bytes\n"
     "tensor temp0: 128, 32 bytes\n"
     "task 0: rank 0, step 0: copy(x[1,8], temp0[1,8])\n"
     "task 1: rank 0, step 0: copy(temp0[1,8], y[1,8]) after 0\n"
     "task 2: rank 1, step 0: copy(x+32[1,8], temp0[1,8])\n"
     "task 3: rank 1, step 0: copy(temp0[1,8], y+32[1,8]) after 2\n"},
    {"parts that do not overlap do not wait for each other",
     "    def main(self, x: pl.Tensor[[2, 8], pl.INT32], "
     "y: pl.Out[pl.Tensor[[2, 8], pl.INT32]]):\n"
     "        self.apart(x, y, device=0)\n"
     "        self.apart(x, y, device=0)\n",
     {.nranks = 1, .cores = 2},
     "tensor x: 0, 64 bytes\n"
     "tensor y: 64, 64 bytes\n"
     "task 0: rank 0.0, step 0: copy(x[1,8], y[1,8])\n"
     "task 1: rank 0.1, step 0: copy(x+32[1,8], y+32[1,8])\n"
     "task 2: rank 0.0, step 1: copy(x[1,8], y[1,8]) after 0, 1\n"
     "task 3: rank 0.1, step 1: copy(x+32[1,8], y+32[1,8]) after 0, 1\n"},
    {"launches wait for those they name; blocks of one do not wait for each other",
     "    def main(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], "
     "pl.INT32]]):\n"
     "        buf = pld.alloc_window_buffer(32)\n"
     "        w = pld.window(buf, [1, 8], dtype=pl.INT32)\n"
     "        self.launch(w, x, y, device=0)\n",
     {.nranks = 1, .cores = 3},
     "domain comm_d0: ranks 0\n"
     "comm_d0 buf: 0, 32 bytes\n"
     "tensor x: 64, 32 bytes\n"
     "tensor y: 128, 32 bytes\n"
     "task 0: rank 0.0, step 0: k(buf[1,8], comm_d0)\n"
     "task 1: rank 0.1, step 0: copy(x[1,8], y[1,8]) after 0\n"
     "task 2: rank 0.2, step 0: k(buf[1,8], comm_d0) block 0 of 2 after 0\n"
     "task 3: rank 0.0, step 0: k(buf[1,8], comm_d0) block 1 of 2 after 0\n"},
    {"a dispatch waits for a task that the host names, on any rank",
     "    def main(self, x: pl.Tensor[[2, 1, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 1, 8], "
     "pl.INT32]]):\n"
     "        out, first = pl.submit(self.through, x[0], y[0], device=0)\n"
     "        more, second = pl.submit(self.through, x[1], y[1], deps=[first], device=1)\n",
     {.nranks = 2},
     "tensor x: 0, 64 bytes\n"
     "tensor y: 64, 64 bytes\n"
     "tensor temp0: 128, 32 bytes\n"
     "task 0: rank 0, step 0: copy(x[1,8], temp0[1,8])\n"
     "task 1: rank 0, step 0: copy(temp0[1,8], y[1,8]) after 0\n"
     "task 2: rank 1, step 1: copy(x+32[1,8], temp0[1,8]) after 1\n"
     "task 3: rank 1, step 1: copy(temp0[1,8], y+32[1,8]) after 2\n"},
    {"scalars, tuples, branches and loops with state",
     ONE_WINDOW "        pair = (3, 5)\n"
                "        n = pair[0] + pair[1] // 2\n"
                "        for r, (acc,) in pl.range(2, init_values=(n,)):\n"
                "            if r == 1:\n"
                "                step = pl.yield_(acc - 4)\n"
                "            else:\n"
                "                step = pl.yield_(1)\n"
                "            self.count(w, step, device=r)\n"
                "            last = pl.yield_(acc)\n"
                "        for (left,) in pl.while_(init_values=(last,)):\n"
                "            pl.cond(left > 4)\n"
                "            self.count(w, left - 4, device=0)\n"
                "            after = pl.yield_(left // 5)\n",
     {.nranks = 2},
     "domain comm_d0: ranks 0 1\n"
     "comm_d0 buf: 0, 32 bytes\n"
     "task 0: rank 0, step 0: scalar(buf[1,8], 0, comm_d0)\n"
     "task 1: rank 1, step 1: scalar(buf[1,8], 0, comm_d0)\n"
     "task 2: rank 0, step 2: scalar(buf[1,8], 0, comm_d0) after 0\n"},
    {"the rank of the device in its domain, as its orchestrator sees it",
     ONE_WINDOW "        for r in pl.range(1, 3):\n"
                "            self.numbered(w, device=r)\n",
     {.nranks = 3},
     "domain comm_d0: ranks 1 2\n"
     "comm_d0 buf: 0, 32 bytes\n"
     "task 0: rank 1, step 0: scalar(buf[1,8], 20, comm_d0)\n"
     "task 1: rank 2, step 1: scalar(buf[1,8], 21, comm_d0)\n"},
    {"a constant of the program from outside",
     ONE_WINDOW "        for i in pl.range(ROUNDS):\n"
                "            self.one(w, device=0)\n",
     {.nranks = 1, .arg = "ROUNDS=1"},
     "domain comm_d0: ranks 0\n"
     "comm_d0 buf: 0, 32 bytes\n"
     "task 0: rank 0, step 0: k(buf[1,8], comm_d0)\n"},
    {"a builtin is submitted once for each rank of the domain",
     "    def main(self):\n"
     "        data = pld.alloc_window_buffer(32)\n"
     "        cells = pld.alloc_window_buffer(8)\n"
     "        w = pld.window(data, [1, 8], dtype=pl.FP32)\n"
     "        s = pld.window(cells, [2, 1], dtype=pl.INT32)\n"
     "        v = pld.window(data, [1, 8], dtype=pl.INT32)\n"
     "        for r in pl.range(pld.world_size()):\n"
     "            self.one(v, device=r)\n"
     "        pld.tensor.allreduce(w, s, op=pld.ReduceOp.Sum)\n",
     {.nranks = 2},
     "domain comm_d0: ranks 0 1\n"
     "comm_d0 data: 0, 32 bytes\n"
     "comm_d0 cells: 32, 8 bytes\n"
     "task 0: rank 0, step 0: k(data[1,8], comm_d0)\n"
     "task 1: rank 1, step 0: k(data[1,8], comm_d0)\n"
     "task 2: rank 0, step 1: builtin.tensor.allreduce(data[1,8], cells[2,1]) after 0\n"
     "task 3: rank 1, step 2: builtin.tensor.allreduce(data[1,8], cells[2,1]) after 1\n"},
};

Test(host_plan, exact)
{
    for (size_t i = 0; i < COUNT(plan_cases); i++) {
        const struct plan_case *c = &plan_cases[i];
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct program *p = compiled(&a, c->text, &c->setting, &d);
        expect_text(c->name, p ? p->plan : diag_text(&d, &a), c->plan);
        arena_free(&a);
    }
}

/* What the passes print is run as it stands: nothing of a plan is lost in text. */
Test(host_plan, printed_programs_have_the_same_plan)
{
    for (size_t i = 0; i < COUNT(plan_cases); i++) {
        const struct plan_case *c = &plan_cases[i];
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct setting as_it_stands = c->setting;
        as_it_stands.no_passes = true;
        const struct ir_program *p = program(&a, c->text, true, &d);
        cr_assert(p, "%s: %s", c->name, diag_text(&d, &a));
        const struct program *again = compiled_text(&a, ir_print(&a, p), &as_it_stands, &d);
        expect_text(c->name, again ? again->plan : diag_text(&d, &a), c->plan);
        arena_free(&a);
    }
}

/* ---- errors ---- */

static const struct error_case {
    const char *name, *text;
    struct setting setting;
    int line, col; /* in the case */
    const char *message;
} error_cases[] = {
    {"no domain",
     ONE_WINDOW "        self.one(w, device=0)\n",
     {.nranks = 1, .no_passes = true},
     2,
     15,
     "this window belongs to no comm domain: the pass MaterializeCommDomainScopes comes before a "
     "host program runs"},
    {"a collective that is not lowered",
     "    def main(self, d: pl.Tensor[[1, 8], pl.FP32]):\n"
     "        pld.tensor.barrier(d)\n",
     {.nranks = 1, .no_passes = true},
     0,
     0,
     NULL},
    {"a device that there is not",
     ONE_WINDOW "        self.one(w, device=2)\n",
     {.nranks = 2},
     0,
     0,
     "'comm_d0' names device 2, but there are 2 ranks"},
    {"a dispatch beyond the ranks",
     "    def main(self, x: pl.Tensor[[2, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 8], "
     "pl.INT32]]):\n"
     "        self.apart(x, y, device=3)\n",
     {.nranks = 2},
     2,
     33,
     "there is no device 3: there are 2 ranks"},
    {"a dispatch without a device",
     "    def main(self, x: pl.Tensor[[2, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 8], "
     "pl.INT32]]):\n"
     "        self.apart(x, y)\n",
     {.nranks = 2},
     2,
     9,
     "expected device=RANK: the host runs 'apart' on one rank"},
    {"a window larger than its allocation",
     "    def main(self):\n"
     "        buf = pld.alloc_window_buffer(16)\n"
     "        w = pld.window(buf, [1, 8], dtype=pl.INT32)\n"
     "        self.one(w, device=0)\n",
     {.nranks = 1},
     3,
     13,
     "a window of 32 bytes over the 16 bytes of 'buf'"},
    {"data that would have to move between ranks",
     "    def main(self, x: pl.Tensor[[1, 8], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.INT32]], "
     "z: pl.Out[pl.Tensor[[1, 8], pl.INT32]]):\n"
     "        self.through(x, y, device=0)\n"
     "        self.through(y, z, device=1)\n",
     {.nranks = 2},
     -19,
     13,
     "rank 1 reads what rank 0 has written to 'y': moving a tensor between ranks over the host is "
     "not modelled"},
    {"nothing to do",
     "    def main(self):\n        n = 1\n",
     {.nranks = 2},
     1,
     9,
     "the host program dispatches nothing with 2 ranks"},
    {"a loop without end",
     "    def main(self):\n"
     "        n = 1\n"
     "        while n > 0:\n"
     "            n = n + 1\n",
     {.nranks = 1},
     0,
     0,
     "the host program does not end within 1048576 statements"},
    {"a scalar without a value",
     "    def main(self, n: pl.Scalar[pl.INT32]):\n        m = n\n",
     {.nranks = 1},
     1,
     20,
     "no value for the parameter 'n'; give --arg n=EXPRESSION or a line '# fencebench: arg "
     "n=EXPRESSION'"},
    {"a scalar that differs by rank",
     "    def main(self, n: pl.Scalar[pl.INT32]):\n        m = n\n",
     {.nranks = 2, .arg = "n=rank"},
     0,
     0,
     "'n' belongs to the host: it must be the same on every rank"},
    {"a kernel's argument of another shape, behind a dynamic one",
     "    def main(self):\n"
     "        buf = pld.alloc_window_buffer(64)\n"
     "        w = pld.window(buf, [1, 16], dtype=pl.INT32)\n"
     "        self.loose(w, device=0)\n",
     {.nranks = 1},
     -1,
     9,
     "'k': the argument for 'w' has extent 16 in dimension 1, the parameter 8"},
    {"a program with two beginnings",
     "    def main(self, x: pl.Tensor[[2, 8], pl.INT32], y: pl.Out[pl.Tensor[[2, 8], "
     "pl.INT32]]):\n"
     "        self.apart(x, y, device=0)\n"
     "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
     "    def other(self):\n"
     "        n = 1\n",
     {.nranks = 1},
     4,
     9,
     "'main' and 'other' are both HOST orchestrators that nothing calls: a program starts with "
     "one"},
    {"an argument of another shape",
     "    def main(self, x: pl.Tensor[[1, 9], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], "
     "pl.INT32]]):\n"
     "        self.through(x, y, device=0)\n",
     {.nranks = 1},
     0,
     0,
     NULL},
    {"division by zero",
     "    def main(self):\n"
     "        n = 1\n"
     "        m = 4 // (n - n)\n",
     {.nranks = 1},
     0,
     0,
     NULL},
};

Test(host_plan, errors)
{
    for (size_t i = 0; i < COUNT(error_cases); i++) {
        const struct error_case *c = &error_cases[i];
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct program *p = compiled(&a, c->text, &c->setting, &d);
        cr_assert(!p && d.failed, "%s: no error", c->name);
        if (c->message)
            expect_text(c->name, d.message, c->message);
        if (c->message && c->line)
            cr_expect(d.span.line - HEAD_LINES == c->line && d.span.col == c->col, "%s: at %d:%d",
                      c->name, d.span.line - HEAD_LINES, d.span.col);
        arena_free(&a);
    }
}
