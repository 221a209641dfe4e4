/* SPDX-License-Identifier: MIT */
#include "ir/verify.h"
#include "tests/passes/transform_rig.h"

#define PROGRAM "@pl.program\nclass P:\n"
#define HOST    "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
#define CHIP    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
#define CORE    "    @pl.function(type=pl.FunctionType.InCore)\n"
#define WIN(n)  n ": pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]]"
#define CTX(n)  n ": pld.CommCtx"
#define DT      "pld.DistributedTensor[[1, 64], pl.FP32]"

static const char pass_name[] = "MaterializeDistTensorCtx";

/* A kernel of one window, before and after. */
#define KERNEL_BEFORE                                                                              \
    CORE "    def kernel(self, " WIN("w") "):\n"                                                   \
                                          "        return\n"
#define KERNEL_AFTER                                                                               \
    CORE "    def kernel(self, " WIN("w") ", " CTX("w_ctx") "):\n"                                 \
                                                            "        return\n"
/* A chip orchestrator around a body, before and after. */
#define CHIP_BEFORE(params, body)                                                                  \
    PROGRAM KERNEL_BEFORE CHIP "    def chip(self, " params "):\n" body
#define CHIP_AFTER(params, body) PROGRAM KERNEL_AFTER CHIP "    def chip(self, " params "):\n" body

Test(dist_tensor_ctx, signatures)
{
    static const struct transform_case cases[] = {
        {"one context for each window, behind all parameters, in the order of the windows",
         PROGRAM CORE "    def kernel(self, x: pl.Tensor[[1, 64], pl.FP32], " WIN(
             "win") ", n: "
                    "pl.Scalar[pl.INT32], " WIN("sig") ", m: pl.Scalar[pl.INT32]):\n"
                                                       "        return\n",
         PROGRAM CORE "    def kernel(self, x: pl.Tensor[[1, 64], pl.FP32], " WIN(
             "win") ", n: "
                    "pl.Scalar[pl.INT32], " WIN("sig") ", m: pl.Scalar[pl.INT32], " CTX(
                        "win_ctx") ", " CTX("sig_ctx") "):\n"
                                                       "        return\n",
         NULL},
        {"what the compiler put behind a name does not count",
         PROGRAM CORE "    def kernel(" WIN("x_inline12__ssa_v0") ", " WIN(
             "x_inline12__iter_v1") ", " WIN("__w") "):\n"
                                                    "        return\n",
         PROGRAM CORE
         "    def kernel(" WIN("x_inline12__ssa_v0") ", " WIN("x_inline12__iter_v1") ", " WIN(
             "__w") ", " CTX("x_inline12_ctx") ", " CTX("x_inline12_ctx_1") ", " CTX("__w_ctx") "):"
                                                                                                "\n"
                                                                                                "  "
                                                                                                "  "
                                                                                                "  "
                                                                                                "  "
                                                                                                "re"
                                                                                                "tu"
                                                                                                "rn"
                                                                                                "\n",
         NULL},
        {"a name that is in use is left alone",
         PROGRAM CORE
         "    def kernel(self, " WIN("w") ", n: pl.Scalar[pl.INT32]):\n"
                                          "        w_ctx: pl.Scalar[pl.INT32] = n + 1\n"
                                          "        return\n",
         PROGRAM CORE "    def kernel(self, " WIN("w") ", n: pl.Scalar[pl.INT32], " CTX(
             "w_ctx_1") "):\n"
                        "        w_ctx: pl.Scalar[pl.INT32] = n + 1\n"
                        "        return\n",
         NULL},
        {"a function that has its contexts", PROGRAM KERNEL_AFTER, NULL, NULL},
        {"a function without windows",
         PROGRAM CORE "    def kernel(self, x: pl.Tensor[[1, 64], pl.FP32]):\n        return\n",
         NULL, NULL},
        {"a host function keeps its parameters",
         PROGRAM HOST "    def host(self, w: " DT "):\n        return\n", NULL, NULL},
        {"every other kind of function has contexts",
         PROGRAM "    @pl.function(type=pl.FunctionType.Group)\n    def g(self, " WIN(
             "w") "):\n"
                  "        return\n",
         PROGRAM "    @pl.function(type=pl.FunctionType.Group)\n    def g(self, " WIN("w") ", " CTX(
             "w_ctx") "):\n"
                      "        return\n",
         NULL},
    };
    EXPECT_PROGRAMS(pass_name, cases);
}

Test(dist_tensor_ctx, calls_from_below_host)
{
    static const struct transform_case cases[] = {
        {"a parameter passes its context on",
         CHIP_BEFORE(WIN("data"), "        self.kernel(data)\n"),
         CHIP_AFTER(WIN("data") ", " CTX("data_ctx"), "        self.kernel(data, data_ctx)\n"),
         NULL},
        {"arg_directions grow by scalars",
         CHIP_BEFORE(WIN("data"),
                     "        self.kernel(data, attrs={\"arg_directions\": [pl.adir.inout]})\n"),
         CHIP_AFTER(WIN("data") ", " CTX("data_ctx"),
                    "        self.kernel(data, data_ctx, attrs={\"arg_directions\": "
                    "[pl.adir.inout, pl.adir.scalar]})\n"),
         NULL},
        {"a launch",
         CHIP_BEFORE(WIN("data"), "        out, tid = pl.submit(self.kernel, data, deps=[], "
                                  "attrs={\"arg_directions\": [pl.adir.inout]})\n"),
         CHIP_AFTER(WIN("data") ", " CTX("data_ctx"),
                    "        out, tid = pl.submit(self.kernel, data, data_ctx, deps=[], "
                    "attrs={\"arg_directions\": [pl.adir.inout, pl.adir.scalar]})\n"),
         NULL},
        {"another name of a parameter",
         CHIP_BEFORE(WIN("data"), "        again: " DT " = data\n        self.kernel(again)\n"),
         CHIP_AFTER(WIN("data") ", " CTX("data_ctx"),
                    "        again: " DT " = data\n        self.kernel(again, data_ctx)\n"),
         NULL},
        {"a view of a parameter",
         CHIP_BEFORE("data: pl.InOut[pld.DistributedTensor[[4, 64], pl.FP32]]",
                     "        row: " DT " = pl.tensor.slice(data, [1, 64], [2, 0])\n"
                     "        self.kernel(row)\n"),
         CHIP_AFTER("data: pl.InOut[pld.DistributedTensor[[4, 64], pl.FP32]], " CTX("data_ctx"),
                    "        row: " DT " = pl.tensor.slice(data, [1, 64], [2, 0])\n"
                    "        self.kernel(row, data_ctx)\n"),
         NULL},
        {"what a loop carries",
         CHIP_BEFORE(WIN("data"), "        for i, (w__iter,) in pl.range(4, init_values=(data,)):\n"
                                  "            self.kernel(w__iter)\n"
                                  "            w__rv: " DT " = pl.yield_(w__iter)\n"
                                  "        self.kernel(w__rv)\n"),
         CHIP_AFTER(WIN("data") ", " CTX("data_ctx"),
                    "        for i, (w__iter,) in pl.range(4, init_values=(data,)):\n"
                    "            self.kernel(w__iter, data_ctx)\n"
                    "            w__rv: " DT " = pl.yield_(w__iter)\n"
                    "        self.kernel(w__rv, data_ctx)\n"),
         NULL},
        {"branches that agree",
         CHIP_BEFORE(WIN("data") ", n: pl.Scalar[pl.INT32]",
                     "        if n > 0:\n"
                     "            w__phi: " DT " = pl.yield_(data)\n"
                     "        else:\n"
                     "            w__phi: " DT " = pl.yield_(data)\n"
                     "        self.kernel(w__phi)\n"),
         CHIP_AFTER(WIN("data") ", n: pl.Scalar[pl.INT32], " CTX("data_ctx"),
                    "        if n > 0:\n"
                    "            w__phi: " DT " = pl.yield_(data)\n"
                    "        else:\n"
                    "            w__phi: " DT " = pl.yield_(data)\n"
                    "        self.kernel(w__phi, data_ctx)\n"),
         NULL},
        {"a name given anew in the same block",
         CHIP_BEFORE(WIN("a") ", " WIN("b"), "        w: " DT " = a\n"
                                             "        self.kernel(w)\n"
                                             "        w = b\n"
                                             "        self.kernel(w)\n"),
         CHIP_AFTER(WIN("a") ", " WIN("b") ", " CTX("a_ctx") ", " CTX("b_ctx"),
                    "        w: " DT " = a\n"
                    "        self.kernel(w, a_ctx)\n"
                    "        w = b\n"
                    "        self.kernel(w, b_ctx)\n"),
         NULL},
        {"what a call gives back, by its place among the callee's parameters",
         PROGRAM CORE "    def swap(self, " WIN("a") ", " WIN(
             "b") ") -> tuple[" DT ", " DT "]:\n"
                  "        return b, a\n" CHIP
                  "    def chip(self, " WIN("x") ", " WIN("y") "):\n"
                                                               "        p, q = self.swap(x, y)\n"
                                                               "        r, s = self.swap(p, q)\n"
                                                               "        return\n",
         PROGRAM CORE "    def swap(self, " WIN("a") ", " WIN("b") ", " CTX("a_ctx") ", " CTX(
             "b_ctx") ") -> tuple[" DT ", " DT "]:\n"
                      "        return b, a\n" CHIP
                      "    def chip(self, " WIN("x") ", " WIN("y") ", " CTX("x_ctx") ", " CTX(
                          "y_ctx") "):\n"
                                   "        p, q = self.swap(x, y, x_ctx, y_ctx)\n"
                                   "        r, s = self.swap(p, q, y_ctx, x_ctx)\n"
                                   "        return\n",
         NULL},
        {"a call before its function",
         PROGRAM CHIP
         "    def chip(self, " WIN("data") "):\n        self.kernel(data)\n" KERNEL_BEFORE,
         PROGRAM CHIP "    def chip(self, " WIN("data") ", " CTX(
             "data_ctx") "):\n        self.kernel(data, data_ctx)\n" KERNEL_AFTER,
         NULL},
        {"a function that calls itself",
         PROGRAM CHIP "    def chip(self, " WIN("data") "):\n        self.chip(data)\n",
         PROGRAM CHIP "    def chip(self, " WIN("data") ", " CTX(
             "data_ctx") "):\n        self.chip(data, data_ctx)\n",
         NULL},
    };
    EXPECT_PROGRAMS(pass_name, cases);
}

Test(dist_tensor_ctx, queries)
{
    static const struct transform_case cases[] = {
        {"a query below HOST is the parameter",
         PROGRAM CORE
         "    def kernel(self, " WIN("w") "):\n"
                                          "        ctx: pld.CommCtx = pld.system.get_comm_ctx(w)\n"
                                          "        me: pl.Scalar[pl.INT32] = "
                                          "pld.system.rank(pld.system.get_comm_ctx(w))\n",
         PROGRAM CORE "    def kernel(self, " WIN("w") ", " CTX(
             "w_ctx") "):\n"
                      "        ctx: pld.CommCtx = w_ctx\n"
                      "        me: pl.Scalar[pl.INT32] = pld.system.rank(w_ctx)\n",
         NULL},
        {"behind a store the window is the same",
         PROGRAM CORE "    def kernel(self, " WIN(
             "w") ", t: pl.Tile[[1, 64], pl.FP32]):\n"
                  "        stored: " DT " = pl.tile.store(t, [0, 0], w)\n"
                  "        ctx: pld.CommCtx = pld.system.get_comm_ctx(stored)\n",
         PROGRAM CORE "    def kernel(self, " WIN("w") ", t: pl.Tile[[1, 64], pl.FP32], " CTX(
             "w_ctx") "):\n"
                      "        stored: " DT " = pl.tile.store(t, [0, 0], w)\n"
                      "        ctx: pld.CommCtx = w_ctx\n",
         NULL},
        {"a query of a host function stays",
         PROGRAM HOST "    def host(self, w: " DT "):\n"
                      "        w_ctx: pld.CommCtx = pld.system.get_comm_ctx(w)\n",
         NULL, NULL},
    };
    EXPECT_PROGRAMS(pass_name, cases);
}

#define WINDOW(n)                                                                                  \
    "        " n "_buf: pl.Ptr = pld.tensor.alloc_window_buffer(256)\n"                            \
    "        " n ": " DT " = pld.tensor.window(" n "_buf, [1, 64], dtype=pl.FP32)\n"
#define CHIP_OF_TWO_BEFORE                                                                         \
    CHIP "    def chip(self, " WIN("a") ", n: pl.Scalar[pl.INDEX], " WIN("b") "):\n"               \
                                                                              "        return\n"
#define CHIP_OF_TWO_AFTER                                                                          \
    CHIP "    def chip(self, " WIN("a") ", n: pl.Scalar[pl.INDEX], " WIN("b") ", " CTX(            \
        "a_ctx") ", " CTX("b_ctx") "):\n"                                                          \
                                   "        return\n"
#define HOST_BEFORE(body) PROGRAM CHIP_OF_TWO_BEFORE HOST "    def host(self):\n" body
#define HOST_AFTER(body)  PROGRAM CHIP_OF_TWO_AFTER HOST "    def host(self):\n" body

/* pypto-facts 1.6: bound just before the dispatch. */
Test(dist_tensor_ctx, dispatches)
{
    static const struct transform_case cases[] = {
        {"a dispatch in a loop",
         HOST_BEFORE(WINDOW("x") WINDOW("y") "        for r in pl.range(4):\n"
                                             "            self.chip(x, r, y, device=r, "
                                             "attrs={\"arg_directions\": [pl.adir.inout, "
                                             "pl.adir.scalar, pl.adir.inout]})\n"),
         HOST_AFTER(WINDOW("x") WINDOW("y") "        for r in pl.range(4):\n"
                                            "            x_ctx: pld.CommCtx = "
                                            "pld.system.get_comm_ctx(x)\n"
                                            "            y_ctx: pld.CommCtx = "
                                            "pld.system.get_comm_ctx(y)\n"
                                            "            self.chip(x, r, y, x_ctx, y_ctx, "
                                            "device=r, attrs={\"arg_directions\": "
                                            "[pl.adir.inout, pl.adir.scalar, pl.adir.inout, "
                                            "pl.adir.scalar, pl.adir.scalar]})\n"),
         NULL},
        {"each dispatch binds its own",
         HOST_BEFORE(WINDOW("x") WINDOW("y") "        self.chip(x, 0, y, device=0)\n"
                                             "        self.chip(y, 1, x, device=1)\n"),
         HOST_AFTER(WINDOW("x") WINDOW("y") "        x_ctx: pld.CommCtx = "
                                            "pld.system.get_comm_ctx(x)\n"
                                            "        y_ctx: pld.CommCtx = "
                                            "pld.system.get_comm_ctx(y)\n"
                                            "        self.chip(x, 0, y, x_ctx, y_ctx, device=0)\n"
                                            "        y_ctx_1: pld.CommCtx = "
                                            "pld.system.get_comm_ctx(y)\n"
                                            "        x_ctx_1: pld.CommCtx = "
                                            "pld.system.get_comm_ctx(x)\n"
                                            "        self.chip(y, 1, x, y_ctx_1, x_ctx_1, "
                                            "device=1)\n"),
         NULL},
    };
    EXPECT_PROGRAMS(pass_name, cases);
}

/* Lines and columns count in the whole text, the two imports included. */
Test(dist_tensor_ctx, errors)
{
    static const struct transform_case cases[] = {
        {"some contexts",
         PROGRAM CORE
         "    def kernel(self, " WIN("a") ", " WIN("b") ", " CTX("a_ctx") "):\n"
                                                                          "        return\n",
         NULL,
         "6:9+6: the function 'kernel' has 2 DistributedTensor parameters and 1 CommCtx "
         "parameters; "
         "expected one for each or none [ctx-count]"},
        {"branches give one name to two windows",
         CHIP_BEFORE(WIN("a") ", " WIN("b") ", n: pl.Scalar[pl.INT32]",
                     "        if n > 0:\n"
                     "            w__phi: " DT " = pl.yield_(a)\n"
                     "        else:\n"
                     "            w__phi: " DT " = pl.yield_(b)\n"),
         NULL,
         "10:9+8: the branches give 'w__phi' different windows: its data would be those of one and "
         "its context that of the other [one-context]"},
        {"assignments in different blocks",
         CHIP_BEFORE(WIN("a") ", " WIN("b") ", n: pl.Scalar[pl.INT32]", "        w: " DT " = a\n"
                                                                        "        if n > 0:\n"
                                                                        "            w = b\n"),
         NULL,
         "12:13+5: 'w' would stand for 'a' or for 'b': its data would be those of one window and "
         "its "
         "context that of another [one-context]"},
        {"a parameter becomes another", CHIP_BEFORE(WIN("a") ", " WIN("b"), "        a = b\n"),
         NULL,
         "10:9+5: 'a' would stand for 'a' or for 'b': its data would be those of one window and "
         "its "
         "context that of another [one-context]"},
        {"a loop carries on with another window",
         CHIP_BEFORE(WIN("a") ", " WIN("b"),
                     "        for i, (w__iter,) in pl.range(4, init_values=(a,)):\n"
                     "            w__rv: " DT " = pl.yield_(b)\n"),
         NULL,
         "11:72+1: the loop starts with one window in 'w__iter' and carries on with another: the "
         "context would stay that of the first [loop-context]"},
        {"a window from nowhere",
         PROGRAM KERNEL_BEFORE CHIP "    def chip(self, x: pl.Tensor[[1, 64], pl.FP32]):\n"
                                    "        w: " DT " = pl.unheard_of(x)\n"
                                    "        self.kernel(w)\n",
         NULL,
         "11:21+1: this window is no DistributedTensor parameter of 'chip', so its context is not "
         "known [ctx-lineage]"},
        {"a query of a window from nowhere",
         PROGRAM CORE "    def kernel(self, x: pl.Tensor[[1, 64], pl.FP32]):\n"
                      "        w: " DT " = pl.unheard_of(x)\n"
                      "        ctx: pld.CommCtx = pld.system.get_comm_ctx(w)\n",
         NULL,
         "8:52+1: this window is no DistributedTensor parameter of 'kernel', so its context is not "
         "known [ctx-lineage]"},
        {"a dispatch in the condition of a loop",
         PROGRAM CHIP "    def chip(self, " WIN("a") ") -> pl.Scalar[pl.INT32]:\n"
                                                     "        return 0\n" HOST
                                                     "    def host(self, w: " DT "):\n"
                                                     "        while self.chip(w, device=0) > 0:\n"
                                                     "            pass\n",
         NULL,
         "10:25+1: the context of this window cannot be bound in the condition of a while loop; "
         "call "
         "the function before the loop [ctx-place]"},
    };
    EXPECT_PROGRAMS(pass_name, cases);
}

/* Kernels of the compiler's own printing have their contexts already. */
Test(dist_tensor_ctx, printed_kernels_have_their_contexts)
{
    static const char *const kernels[] = {"mesh_allreduce_ssa", "notify_wait_tag_ssa",
                                          "remote_store_push_ssa"};
    static const char *const run[] = {"MaterializeDistTensorCtx"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct source *src =
            source_read(&a, arena_printf(&a, "kernels/%s.py", kernels[i]), &d);
        cr_assert(src, "%s", diag_text(&d, &a));
        const struct ir_program *p = transform_parse(&a, kernels[i], src->text),
                                *out = transform_run(&a, kernels[i], p, run, 1);
        cr_expect(verify_property(out, IR_PROPERTY_DIST_TENSOR_CTX, &d), "%s", diag_text(&d, &a));
        cr_expect_eq(out->funcs.items[0]->params.len, p->funcs.items[0]->params.len, "%s",
                     kernels[i]);
        arena_free(&a);
    }
}
